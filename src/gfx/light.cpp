#include "gfx/light.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>

#include "embedded/heatmap_vert.h"
#include "embedded/light_frag.h"
#include "embedded/light_vert.h"
#include "embedded/tone_frag.h"
#include "gfx/gl.h"
#include "gfx/texture.h"

namespace limelight::gfx {
namespace {

constexpr int kShrink = 2;   // pixels of the window that a texel of a sum is wide
constexpr int kMargin = 1;   // texels around what is shown, for linear sampling
constexpr int kGrowBy = 64;  // texels: a light that moves does not ask for a larger target every frame

// What of the light is seen, in whole texels; of no size when nothing is.
LightQuad::Sums seen(const LightQuad& quad, float viewport_width, float viewport_height, float pixel_ratio) {
  constexpr float kFar = std::numeric_limits<float>::max();
  float left = kFar, top = kFar, right = -kFar, bottom = -kFar;
  for (const LightVertex& vertex : quad.triangles) {
    left = std::min(left, vertex.x);
    top = std::min(top, vertex.y);
    right = std::max(right, vertex.x);
    bottom = std::max(bottom, vertex.y);
  }
  left = std::max({left, quad.clip[0], 0.0F});
  top = std::max({top, quad.clip[1], 0.0F});
  right = std::min({right, quad.clip[2], viewport_width});
  bottom = std::min({bottom, quad.clip[3], viewport_height});
  if (!(left < right && top < bottom)) return {};
  const auto first = [&](float length) { return static_cast<int>(std::floor(length * pixel_ratio / kShrink)); };
  const auto end = [&](float length) { return static_cast<int>(std::ceil(length * pixel_ratio / kShrink)); };
  const int column = first(left) - kMargin, row = first(viewport_height - bottom) - kMargin;
  return {.texture = 0,
          .x = column * kShrink,
          .y = row * kShrink,
          .width = (end(right) + kMargin - column) * kShrink,
          .height = (end(viewport_height - top) + kMargin - row) * kShrink};
}

// x, y, width and height in CSS pixels.
std::array<float, 4> rect_of(const LightQuad::Sums& sums, float viewport_height, float pixel_ratio) {
  const auto length = [&](int pixels) { return static_cast<float>(pixels) / pixel_ratio; };
  return {length(sums.x), viewport_height - length(sums.y + sums.height), length(sums.width), length(sums.height)};
}

Constants with_own(Constants constants) {
  constants.insert(constants.end(),
                   {{"SHRINK", std::to_string(kShrink) + ".0"},
                    // FINE: the largest at which the steps of a faint sum, taken back, are as straight as
                    // those of a plain one between two texels; both are as good where light is half seen.
                    {"FINE", "8.0"},
                    {"FINE_FULL", "0.06"},
                    {"FINE_END", "0.18"}});
  return constants;
}

}  // namespace

LightShader::LightShader(Constants constants) {
  constants = with_own(std::move(constants));
  sum_program_ = compile_program(text_of(embedded::light_vert), text_of(embedded::light_frag), constants);
  tone_program_ = compile_program(text_of(embedded::heatmap_vert), text_of(embedded::tone_frag), constants);
  glGenVertexArrays(1, &corners_);
  glGenVertexArrays(1, &triangles_);
  glGenBuffers(1, &vertex_buffer_);
  glBindVertexArray(triangles_);
  glBindBuffer(GL_ARRAY_BUFFER, vertex_buffer_);
  constexpr int stride = sizeof(LightVertex);
  glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, stride, buffer_offset(offsetof(LightVertex, x)));
  glVertexAttribPointer(1, 2, GL_FLOAT, GL_FALSE, stride, buffer_offset(offsetof(LightVertex, a)));
  glVertexAttribPointer(2, 4, GL_FLOAT, GL_FALSE, stride, buffer_offset(offsetof(LightVertex, half_from)));
  for (unsigned attribute = 0; attribute < 3; ++attribute) glEnableVertexAttribArray(attribute);
  glBindVertexArray(0);
  if (sum_program_ == 0 || tone_program_ == 0) return;
  area_ = glGetUniformLocation(sum_program_, "area");
  const auto at = [this](const char* name) { return glGetUniformLocation(tone_program_, name); };
  at_ = {at("rect"), at("viewport"), at("origin"), at("height"), at("low"), at("high"), at("dark")};
  glUseProgram(tone_program_);
  glUniform1i(at("light"), 0);
}

LightShader::~LightShader() {
  for (const Target& target : targets_) {
    glDeleteFramebuffers(1, &target.framebuffer);
    delete_texture(target.texture);
  }
  glDeleteBuffers(1, &vertex_buffer_);
  glDeleteVertexArrays(1, &triangles_);
  glDeleteVertexArrays(1, &corners_);
  glDeleteProgram(tone_program_);
  glDeleteProgram(sum_program_);
}

// The next one that is not used in this page, bound and at least so large.
unsigned LightShader::bind_target(int width, int height) {
  if (used_ == targets_.size()) glGenFramebuffers(1, &targets_.emplace_back().framebuffer);
  Target& target = targets_[used_++];
  glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
  if (width <= target.width && height <= target.height) return target.texture;
  const auto grown = [](int now, int wanted) { return std::max(now, (wanted + kGrowBy - 1) / kGrowBy * kGrowBy); };
  target.width = grown(target.width, width);
  target.height = grown(target.height, height);
  delete_texture(target.texture);
  target.texture = make_texture_rgba(target.width, target.height);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target.texture, 0);
  return target.texture;
}

void LightShader::add_up(LightQuad& quad, float viewport_width, float viewport_height, float pixel_ratio) {
  quad.sums = seen(quad, viewport_width, viewport_height, pixel_ratio);
  const int width = quad.sums.width, height = quad.sums.height;
  if (sum_program_ == 0 || tone_program_ == 0 || width == 0) return;
  int window[4] = {};
  glGetIntegerv(GL_VIEWPORT, window);
  quad.sums.texture = bind_target(width / kShrink, height / kShrink);
  glViewport(0, 0, width / kShrink, height / kShrink);
  glClearColor(1, 1, 1, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ZERO, GL_SRC_COLOR);
  glUseProgram(sum_program_);
  const std::array<float, 4> area = rect_of(quad.sums, viewport_height, pixel_ratio);
  glUniform4fv(area_, 1, area.data());
  glBindVertexArray(triangles_);
  glBindBuffer(GL_ARRAY_BUFFER, vertex_buffer_);
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(quad.triangles.size() * sizeof(LightVertex)),
               quad.triangles.data(), GL_STREAM_DRAW);
  glDrawArrays(GL_TRIANGLES, 0, static_cast<int>(quad.triangles.size()));
  glBindVertexArray(0);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glViewport(window[0], window[1], window[2], window[3]);
}

void LightShader::draw(const LightQuad& quad, std::array<float, 4> clip, float viewport_width, float viewport_height,
                       float pixel_ratio) const {
  if (quad.sums.texture == 0 || clip[2] <= clip[0] || clip[3] <= clip[1]) return;
  const auto pixels = [&](float length) { return static_cast<int>(length * pixel_ratio); };
  glScissor(pixels(clip[0]), pixels(viewport_height - clip[3]), pixels(clip[2] - clip[0]), pixels(clip[3] - clip[1]));
  glBlendFuncSeparate(GL_ONE, quad.dark ? GL_ONE_MINUS_SRC_COLOR : GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE);
  glUseProgram(tone_program_);
  const std::array<float, 4> rect = rect_of(quad.sums, viewport_height, pixel_ratio);
  glUniform4fv(at_.rect, 1, rect.data());
  glUniform2f(at_.viewport, viewport_width, viewport_height);
  glUniform2f(at_.origin, static_cast<float>(quad.sums.x), static_cast<float>(quad.sums.y));
  glUniform1f(at_.height, std::round(viewport_height * pixel_ratio));
  glUniform3fv(at_.low, 1, quad.low.data());
  glUniform3fv(at_.high, 1, quad.high.data());
  glUniform1i(at_.dark, quad.dark ? 1 : 0);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, quad.sums.texture);
  glBindVertexArray(corners_);
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

}  // namespace limelight::gfx

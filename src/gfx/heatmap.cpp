#include "gfx/heatmap.h"

#include "embedded/heatmap_frag.h"
#include "embedded/heatmap_vert.h"
#include "gfx/gl.h"
#include "gfx/program.h"
#include "gfx/texture.h"

namespace limelight::gfx {
HeatmapShader::HeatmapShader(float hatch_pitch, float hatch_width) {
  program_ = compile_program(text_of(embedded::heatmap_vert), text_of(embedded::heatmap_frag),
                             {{"COLOURS", std::to_string(kMapColours) + ".0"},
                              {"HATCH_PITCH", std::to_string(hatch_pitch)},
                              {"HATCH_WIDTH", std::to_string(hatch_width)}});
  glGenVertexArrays(1, &vertices_);
  if (program_ == 0) return;
  const auto at = [this](const char* name) { return glGetUniformLocation(program_, name); };
  at_ = {at("rect"), at("viewport"), at("masked"), at("hatching"), at("opacity"), at("pixel_ratio")};
  glUseProgram(program_);
  glUniform1i(at("shares"), 0);
  glUniform1i(at("colours"), 1);
  colours_ = make_texture_rgba(kMapColours, 1);
}

HeatmapShader::~HeatmapShader() {
  delete_texture(colours_);
  glDeleteVertexArrays(1, &vertices_);
  glDeleteProgram(program_);
}

void HeatmapShader::draw(const HeatmapQuad& quad, std::array<float, 4> clip, float viewport_width,
                         float viewport_height, float pixel_ratio) {
  if (program_ == 0 || clip[2] <= clip[0] || clip[3] <= clip[1]) return;
  const auto pixels = [&](float length) { return static_cast<int>(length * pixel_ratio); };
  glScissor(pixels(clip[0]), pixels(viewport_height - clip[3]), pixels(clip[2] - clip[0]), pixels(clip[3] - clip[1]));
  const unsigned shares = make_texture_float(quad.columns, quad.rows, quad.shares);
  if (quad.colours != written_) {
    write_texture_rgba(colours_, 0, 0, kMapColours, 1, quad.colours);
    written_ = quad.colours;
  }
  glUseProgram(program_);
  glUniform4f(at_.rect, quad.x, quad.y, quad.width, quad.height);
  glUniform2f(at_.viewport, viewport_width, viewport_height);
  glUniform4fv(at_.masked, 1, quad.masked.data());
  glUniform4fv(at_.hatching, 1, quad.hatching.data());
  glUniform1f(at_.opacity, quad.opacity);
  glUniform1f(at_.pixel_ratio, pixel_ratio);
  glActiveTexture(GL_TEXTURE1);
  glBindTexture(GL_TEXTURE_2D, colours_);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, shares);
  glBindVertexArray(vertices_);
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  delete_texture(shares);
}

}  // namespace limelight::gfx

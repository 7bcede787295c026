#include "gfx/heatmap.h"

#include "embedded/heatmap_frag.h"
#include "embedded/heatmap_vert.h"
#include "gfx/gl.h"
#include "gfx/program.h"
#include "gfx/texture.h"

namespace limelight::gfx {
HeatmapShader::HeatmapShader() {
  program_ = compile_program(text_of(embedded::heatmap_vert), text_of(embedded::heatmap_frag),
                             {{"COLOURS", std::to_string(kMapColours) + ".0"}, {"HATCH_STEP", "6.0"}});
  glGenVertexArrays(1, &vertices_);
}

HeatmapShader::~HeatmapShader() {
  glDeleteVertexArrays(1, &vertices_);
  glDeleteProgram(program_);
}

void HeatmapShader::draw(const HeatmapQuad& quad, std::array<float, 4> clip, float viewport_width,
                         float viewport_height, float pixel_ratio) const {
  if (program_ == 0 || clip[2] <= clip[0] || clip[3] <= clip[1]) return;
  const auto pixels = [&](float length) { return static_cast<int>(length * pixel_ratio); };
  glScissor(pixels(clip[0]), pixels(viewport_height - clip[3]), pixels(clip[2] - clip[0]), pixels(clip[3] - clip[1]));
  const unsigned shares = make_texture_float(quad.columns, quad.rows, quad.shares);
  const unsigned colours = make_texture_rgba(kMapColours, 1);
  write_texture_rgba(colours, 0, 0, kMapColours, 1, quad.colours);
  const auto at = [this](const char* name) { return glGetUniformLocation(program_, name); };
  glUseProgram(program_);
  glUniform4f(at("rect"), quad.x, quad.y, quad.width, quad.height);
  glUniform2f(at("viewport"), viewport_width, viewport_height);
  glUniform4fv(at("masked"), 1, quad.masked.data());
  glUniform4fv(at("hatching"), 1, quad.hatching.data());
  glUniform1f(at("opacity"), quad.opacity);
  glUniform1f(at("pixel_ratio"), pixel_ratio);
  glUniform1i(at("shares"), 0);
  glUniform1i(at("colours"), 1);
  glActiveTexture(GL_TEXTURE1);
  glBindTexture(GL_TEXTURE_2D, colours);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, shares);
  glBindVertexArray(vertices_);
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  delete_texture(shares);
  delete_texture(colours);
}

}  // namespace limelight::gfx

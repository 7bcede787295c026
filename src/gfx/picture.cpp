#include "gfx/picture.h"

#include "embedded/heatmap_vert.h"
#include "embedded/picture_frag.h"
#include "gfx/gl.h"
#include "gfx/program.h"
#include "gfx/texture.h"

namespace limelight::gfx {

PictureShader::PictureShader() {
  program_ = compile_program(text_of(embedded::heatmap_vert), text_of(embedded::picture_frag), {});
  glGenVertexArrays(1, &vertices_);
}

PictureShader::~PictureShader() {
  glDeleteVertexArrays(1, &vertices_);
  glDeleteProgram(program_);
}

void PictureShader::draw(const PictureQuad& quad, std::array<float, 4> clip, float viewport_width,
                         float viewport_height, float pixel_ratio) const {
  if (program_ == 0 || clip[2] <= clip[0] || clip[3] <= clip[1]) return;
  const auto pixels = [&](float length) { return static_cast<int>(length * pixel_ratio); };
  glScissor(pixels(clip[0]), pixels(viewport_height - clip[3]), pixels(clip[2] - clip[0]), pixels(clip[3] - clip[1]));
  const unsigned texture = make_texture_rgba(quad.columns, quad.rows);
  write_texture_rgba(texture, 0, 0, quad.columns, quad.rows, quad.rgba);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  const auto at = [this](const char* name) { return glGetUniformLocation(program_, name); };
  glUseProgram(program_);
  glUniform4f(at("rect"), quad.x, quad.y, quad.width, quad.height);
  glUniform2f(at("viewport"), viewport_width, viewport_height);
  glUniform1f(at("opacity"), quad.opacity);
  glUniform1i(at("pixels"), 0);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, texture);
  glBindVertexArray(vertices_);
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  delete_texture(texture);
}

}  // namespace limelight::gfx

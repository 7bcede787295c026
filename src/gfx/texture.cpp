#include "gfx/texture.h"

#include "gfx/gl.h"

namespace limelight::gfx {
namespace {

unsigned make_texture(int filter) {
  unsigned texture = 0;
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_2D, texture);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  return texture;
}

}  // namespace

unsigned make_texture_rgba(int width, int height) {
  const unsigned texture = make_texture(GL_LINEAR);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  return texture;
}

void write_texture_rgba(unsigned texture, int x, int y, int width, int height, std::span<const std::uint8_t> rgba) {
  glBindTexture(GL_TEXTURE_2D, texture);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTexSubImage2D(GL_TEXTURE_2D, 0, x, y, width, height, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());
}

unsigned make_texture_float(int width, int height, std::span<const float> values) {
  const unsigned texture = make_texture(GL_NEAREST);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, width, height, 0, GL_RED, GL_FLOAT, values.data());
  return texture;
}

void delete_texture(unsigned texture) { glDeleteTextures(1, &texture); }

int largest_texture() {
  int side = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &side);
  return side;
}

void clear_screen(int width, int height, float r, float g, float b, float a) {
  glViewport(0, 0, width, height);
  glClearColor(r, g, b, a);
  glClear(GL_COLOR_BUFFER_BIT);
}

}  // namespace limelight::gfx

#pragma once

#include <cstdint>
#include <span>

namespace limelight::gfx {

// All sizes in texels, rows from the top.
unsigned make_texture_rgba(int width, int height);  // sampled linearly
void write_texture_rgba(unsigned texture, int x, int y, int width, int height, std::span<const std::uint8_t> rgba);
unsigned make_texture_float(int width, int height, std::span<const float> values);  // one channel, nearest
void delete_texture(unsigned texture);
int largest_texture();  // the side of the largest square

void clear_screen(int width, int height, float r, float g, float b, float a);  // pixels; colour premultiplied

}  // namespace limelight::gfx

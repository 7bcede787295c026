// A vertex of a draw list, in CSS pixels.
uniform vec2 viewport;  // of the whole page
layout(location = 0) in vec2 at;
layout(location = 1) in vec2 texel;
layout(location = 2) in vec4 tint;
out vec2 place;
out vec4 shade;
void main() {
  place = texel;
  shade = tint;
  gl_Position = vec4(at.x / viewport.x * 2.0 - 1.0, 1.0 - at.y / viewport.y * 2.0, 0.0, 1.0);
}

// A corner of a triangle of light.
uniform vec4 area;  // x, y, width, height of what the target shows, in CSS pixels
layout(location = 0) in vec2 at;
layout(location = 1) in vec2 on;    // of a beam: share of its way, pixels off its middle; of a spot: radii right and down
layout(location = 2) in vec4 sort;  // half widths at the mouth and where it falls, intensity, kind
out vec2 place;
flat out vec4 what;
flat out float rounding;  // evenly spread from -0.5 to 0.5 over the light's quads
void main() {
  place = on;
  what = sort;
  rounding = fract(float(gl_VertexID / 6) * 0.618034) - 0.5;
  vec2 share = (at - area.xy) / area.zw;
  gl_Position = vec4(share.x * 2.0 - 1.0, 1.0 - share.y * 2.0, 0.0, 1.0);
}

// Each texel of `shares` is a cell: from 0 to 1 its place on the colour map, below 0 masked and hatched.
uniform sampler2D shares;
uniform sampler2D colours;  // the map, COLOURS wide
uniform vec4 masked;        // behind the hatching
uniform vec4 hatching;
uniform float opacity;
uniform float pixel_ratio;
in vec2 place;
out vec4 colour;
void main() {
  vec2 size = vec2(textureSize(shares, 0));
  float share = texelFetch(shares, ivec2(min(place * size, size - 1.0)), 0).r;
  if (share < 0.0) {
    float stripe = mod((gl_FragCoord.x - gl_FragCoord.y) / pixel_ratio, HATCH_PITCH);
    colour = mix(masked, hatching, step(stripe, HATCH_WIDTH));
  } else {
    colour = texture(colours, vec2((share * (COLOURS - 1.0) + 0.5) / COLOURS, 0.5));
  }
  colour.a *= opacity;
}

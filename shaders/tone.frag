// Light as it is seen: the sum at a pixel becomes a colour and how much of it is laid over what is there.
uniform sampler2D light;  // see light.frag; a texel is SHRINK pixels wide
uniform vec2 origin;      // pixels of the window that lie left of it and below it
uniform float height;     // of the window, in pixels
uniform vec3 low;
uniform vec3 high;
uniform bool dark;
out vec4 colour;

// Evenly spread from -1 to 1, the same at the same pixel, counted from the top left.
float noise(highp uvec2 pixel) {
  highp uint h = (pixel.x * 0x9E3779B1u) ^ (pixel.y * 0x85EBCA77u);
  h ^= h >> 15u;
  h *= 0x2C1B3C6Du;
  h ^= h >> 12u;
  return float(h & 0xFFFFu) / 32767.5 - 1.0;
}

void main() {
  vec2 rest = texture(light, (gl_FragCoord.xy - origin) / (SHRINK * vec2(textureSize(light, 0)))).rg;
  // Faint light is read where it was kept fine.
  float seen = mix(1.0 - pow(rest.g, 1.0 / FINE), 1.0 - rest.r, smoothstep(FINE_FULL, FINE_END, 1.0 - rest.r));
  float white = pow(smoothstep(TONE_WHITE, 1.0, seen), TONE_WARMTH);
  vec3 shade = mix(low, high, dark ? white : pow(white, TONE_LIFT_WHITE));
  float opacity = dark ? TONE_STRENGTH * seen : min(1.0, TONE_COVER * pow(seen, TONE_LIFT));
  float dither = TONE_DITHER * noise(uvec2(gl_FragCoord.x, height - gl_FragCoord.y)) * min(opacity, 1.0 / 255.0);
  colour = vec4(opacity * shade + dither, opacity);
}

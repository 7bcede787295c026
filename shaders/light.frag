// What a triangle of light adds at a pixel, as the factor exp(-intensity): factors multiply as intensities add. Green
// takes the intensity FINE times, so that many faint ones are not rounded away; and each quad is rounded to a 255th in
// its own way, so that those of many do not add up. Less than half a step: what is dark stays dark.
in vec2 place;
flat in vec4 what;
flat in float rounding;
out vec4 colour;

float beam(float s, float off) {
  float half_width = what.x + (what.y - what.x) * pow(clamp(s, 0.0, 1.0), BEAM_TAPER);
  float u = abs(off) / half_width;
  float shoulder = u / BEAM_SHOULDER;
  shoulder *= shoulder;
  shoulder *= shoulder;
  float across = BEAM_CORE * exp(-BEAM_SHARPNESS * u * u) + (1.0 - BEAM_CORE) / (1.0 + shoulder * shoulder);
  float along = BEAM_FAR + BEAM_NEAR * pow(1.0 - clamp(s, 0.0, 1.0), BEAM_DECAY);
  return across * (1.0 - smoothstep(BEAM_EDGE, BEAM_REACH, u)) * along * smoothstep(BEAM_BEGIN, BEAM_FULL, s) *
         (1.0 - smoothstep(BEAM_FADE, BEAM_END, s));
}

float spot(float q, bool pool) {
  float shape = pool ? (exp(-SPOT_EDGE * q) + 1.0 / (1.0 + q * q * q * q)) / 2.0 : exp(-SPOT_HAZE * q);
  return shape * (1.0 - smoothstep(SPOT_FADE, SPOT_END, q));
}

void main() {
  float profile = what.w == BEAM ? beam(place.x, place.y) : spot(dot(place, place), what.w == POOL);
  colour = vec4(exp(-what.z * profile * vec2(1.0, FINE)) + rounding / 256.0, 1.0, 1.0);
}

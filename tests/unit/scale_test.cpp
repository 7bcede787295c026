#include "scenes/scale.h"

#include <doctest/doctest.h>

using namespace limelight;

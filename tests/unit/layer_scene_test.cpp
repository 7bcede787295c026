#include "scenes/layer.h"

#include <doctest/doctest.h>

using namespace limelight;

#include "scenes/score.h"

#include <doctest/doctest.h>

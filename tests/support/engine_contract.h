#pragma once
// The rules of core/data/engine.h as tests, one suite for every engine. A test program includes
// engine_contract_helpers.h, defines the type EngineUnderTest, whose member `engine` is a data::Engine& of an
// empty store opened with `contract_spaces`, then includes this, and so proves its engine.
#include "tests/support/engine_contract_counts.h"
#include "tests/support/engine_contract_logs.h"
#include "tests/support/engine_contract_scans.h"
#include "tests/support/engine_contract_settings.h"
#include "tests/support/engine_contract_sheets.h"
#include "tests/support/engine_contract_threads.h"
#include "tests/support/engine_contract_transactions.h"

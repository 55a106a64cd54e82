#pragma once
// The store's log, looked through before RocksDB reads it.
//
// RocksDB ends at the first record of the log that is broken, whatever stands behind it. That is right for a
// torn end: a killed process leaves a file that is cut off, a power cut leaves sectors that never arrived,
// which are zero as no log is written over another. But a record whose bytes have all arrived, and are others
// than were written, was damaged later, and what is lost with it was answered for.
#include "storage/damage.h"

#include <string>

namespace slashpost::storage {

// Of the store in `folder`, that nobody has open. Fails when a log is damaged: as `refused` StoreDamaged,
// unless loss is accepted; then it and all later ones are copied first, and `notice` told what is lost. A
// folder without logs is fine. Answers whether something was damaged.
Result<bool> check_logs(const std::string& folder, bool accepts_loss, const Notice& notice);

} // namespace slashpost::storage

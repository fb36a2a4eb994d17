import { ceilingsHold } from './ceilings-hold.ts'
import { claimsOutliveInstances } from './claims-outlive-instances.ts'
import { consolidateAfterIsRespected } from './consolidate-after-is-respected.ts'
import { consolidationHappens } from './consolidation-happens.ts'
import { deletionsHaveCauses } from './deletions-have-causes.ts'
import { disruptionBudgets } from './disruption-budgets.ts'
import { drainedBeforeTerminated } from './drained-before-terminated.ts'
import { driftedAndEmptyNodesTerminate } from './drifted-and-empty-nodes-terminate.ts'
import { expiredNodesTerminate } from './expired-nodes-terminate.ts'
import { fencedPoolsAreLeft } from './fenced-pools-are-left.ts'
import { foreignInstancesAreKept } from './foreign-instances-are-kept.ts'
import { foreignNodesAreLeft } from './foreign-nodes-are-left.ts'
import { gracePeriodsAreGranted } from './grace-periods-are-granted.ts'
import { instancesMatchClaims } from './instances-match-claims.ts'
import { interruptionsAreHandled } from './interruptions-are-handled.ts'
import type { MakeInvariant } from './invariant.ts'
import { launchesAreKept } from './launches-are-kept.ts'
import { leakedInstancesTerminate } from './leaked-instances-terminate.ts'
import { leftoversAreCollected } from './leftovers-are-collected.ts'
import { nodesMatchClaims } from './nodes-match-claims.ts'
import { oneInstancePerClaim } from './one-instance-per-claim.ts'
import { oneLeader } from './one-leader.ts'
import { oneNodeAhead } from './one-node-ahead.ts'
import { onePlanPerPod } from './one-plan-per-pod.ts'
import { othersPodsAreLeft } from './others-pods-are-left.ts'
import { podsAreEvicted } from './pods-are-evicted.ts'
import { podsRun } from './pods-run.ts'
import { podsWaitForRegistration } from './pods-wait-for-registration.ts'
import { poolLimits } from './pool-limits.ts'
import { protectedPodsAreKept } from './protected-pods-are-kept.ts'
import { quiet } from './quiet.ts'
import { replacementsCostLess } from './replacements-cost-less.ts'
import { replacementsFirst } from './replacements-first.ts'
import { requestsOfOthersAreKept } from './requests-of-others-are-kept.ts'
import { sleepingPoolsLaunchNothing } from './sleeping-pools-launch-nothing.ts'
import { staticPoolsAreFull } from './static-pools-are-full.ts'
import { taintedBeforeDrained } from './tainted-before-drained.ts'
import { unusedNodesTerminate } from './unused-nodes-terminate.ts'
import { volumesDetachFirst } from './volumes-detach-first.ts'

/** All invariants. */
export const invariants: readonly MakeInvariant[] = [
  instancesMatchClaims,
  oneInstancePerClaim,
  foreignInstancesAreKept,
  launchesAreKept,
  requestsOfOthersAreKept,
  leakedInstancesTerminate,
  leftoversAreCollected,
  interruptionsAreHandled,
  oneLeader,
  claimsOutliveInstances,
  drainedBeforeTerminated,
  volumesDetachFirst,
  podsAreEvicted,
  podsWaitForRegistration,
  onePlanPerPod,
  oneNodeAhead,
  othersPodsAreLeft,
  foreignNodesAreLeft,
  fencedPoolsAreLeft,
  sleepingPoolsLaunchNothing,
  poolLimits,
  ceilingsHold,
  taintedBeforeDrained,
  protectedPodsAreKept,
  nodesMatchClaims,
  disruptionBudgets,
  replacementsFirst,
  consolidateAfterIsRespected,
  replacementsCostLess,
  deletionsHaveCauses,
  gracePeriodsAreGranted,
  driftedAndEmptyNodesTerminate,
  consolidationHappens,
  expiredNodesTerminate,
  unusedNodesTerminate,
  staticPoolsAreFull,
  podsRun,
  quiet,
]

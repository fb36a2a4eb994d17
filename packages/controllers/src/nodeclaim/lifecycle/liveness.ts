import { findCondition, isConditionTrue, type Milliseconds, type NodeClaim, parsePastTime, parseTime } from '@kerf/apis'
import type { Deps } from '../../deps.ts'
import type { RegistrationHealth } from '../../nodepool/registration-health/registration-health.ts'
import type { ClaimDeletion } from '../claim-deletion.ts'
import { CLOCK_RETRY } from '../clock-hold.ts'
import type { Step, StepResult } from './step.ts'

/**
 * How long the launch and the registration of a claim may take. Each time starts at the last status change of the corresponding condition,
 * which in practice is when the claim was created. For a provider that declares how long its launches take, the registration time starts at
 * the launch.
 */
export interface LivenessTimeouts {
  readonly launch: Milliseconds
  readonly registration: Milliseconds
}

const defaultTimeouts: LivenessTimeouts = { launch: 300_000, registration: 900_000 }

/** Returns the step that deletes claims whose launch or registration takes too long (`docs/spec/lifecycle.md#liveness`). */
export const livenessStep = (
  { clock, log, provider }: Pick<Deps, 'clock' | 'log' | 'provider'>,
  deletion: ClaimDeletion,
  health: RegistrationHealth,
  given: Partial<LivenessTimeouts> = {},
): Step => {
  const { launchTimeout } = provider
  const timeouts = { ...defaultTimeouts, ...(launchTimeout === undefined ? {} : { launch: launchTimeout }), ...given }
  const changed = (claim: NodeClaim, condition: string): Milliseconds =>
    parsePastTime(findCondition(claim, condition)?.lastTransitionTime, clock.now()) ??
    parseTime(claim.metadata.creationTimestamp) ??
    clock.now()
  const check = async (
    claim: NodeClaim,
    condition: 'Launched' | 'Registered',
    timeout: Milliseconds,
    signal: AbortSignal,
  ): Promise<StepResult> => {
    const opened = changed(claim, condition)
    const since = launchTimeout === undefined ? opened : Math.max(opened, changed(claim, 'Launched'))
    const left = since + timeout - clock.now()
    if (left > 0) return { claim, after: left }
    if (clock.problem !== undefined) return { claim, after: CLOCK_RETRY }
    const reason = condition === 'Launched' ? 'launch_timeout' : 'registration_timeout'
    await health.failed(claim, signal)
    log.debug('terminating due to timeout', { NodeClaim: { name: claim.metadata.name }, timeout, reason })
    await deletion.delete(claim, reason, { signal })
    return { claim, deleted: true }
  }

  return {
    run: async (claim, signal) => {
      if (isConditionTrue(claim, 'Registered')) return { claim }
      return isConditionTrue(claim, 'Launched')
        ? await check(claim, 'Registered', timeouts.registration, signal)
        : await check(claim, 'Launched', timeouts.launch, signal)
    },
  }
}

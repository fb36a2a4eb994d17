import type { Controller } from '@kerf/runtime'
import type { Deps } from '../../deps.ts'
import { lifecycleControllers } from '../../lifecycle-controllers.ts'
import type { LivenessTimeouts } from '../../nodeclaim/lifecycle/liveness.ts'
import { RegistrationOutcomes } from '../../nodepool/registration-health/registration-outcomes.ts'
import { Harness } from './harness.ts'
import type { HarnessOptions } from './harness-options.ts'

/**
 * Returns a value for `HarnessOptions.controllers`: the controllers that launch, register and terminate NodeClaims and their Nodes.
 */
export const lifecycle =
  (timeouts: Partial<LivenessTimeouts> = {}) =>
  (deps: Deps): readonly Controller[] =>
    lifecycleControllers(deps, { outcomes: new RegistrationOutcomes(), timeouts })

/**
 * Starts a cluster with only the lifecycle controllers. The KWOK provider simulates the kubelets, as it does on a real API server.
 */
export const lifecycleHarness = async (options: HarnessOptions = {}): Promise<Harness> =>
  await Harness.create({ controllers: lifecycle(), cluster: 'controller-manager', ...options })

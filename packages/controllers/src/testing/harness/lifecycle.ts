import type { Controller } from '@kerf/runtime'
import type { Deps } from '../../deps.ts'
import { lifecycleControllers } from '../../lifecycle-controllers.ts'
import type { LivenessTimeouts } from '../../nodeclaim/lifecycle/liveness.ts'
import { RegistrationOutcomes } from '../../nodepool/registration-health/registration-outcomes.ts'
import { World } from './world.ts'
import type { WorldOptions } from './world-options.ts'

/** For `WorldOptions.controllers`: the controllers that launch, register and terminate NodeClaims and their Nodes. */
export const lifecycle =
  (timeouts: Partial<LivenessTimeouts> = {}) =>
  (deps: Deps): readonly Controller[] =>
    lifecycleControllers(deps, { outcomes: new RegistrationOutcomes(), timeouts })

/**
 * Creates a world with only the lifecycle controllers. The KWOK provider simulates the kubelets, so the tests cover what it
 * does on a real API server.
 */
export const lifecycleWorld = async (options: WorldOptions = {}): Promise<World> =>
  await World.create({ controllers: lifecycle(), cluster: 'controller-manager', ...options })

import type { Controller } from '@kerf/runtime'
import type { Deps } from '../../deps.ts'
import type { LivenessTimeouts } from '../../lifecycle/liveness.ts'
import { RegistrationOutcomes } from '../../lifecycle/registration-outcomes.ts'
import { lifecycleControllers } from '../../lifecycle-controllers.ts'
import { World } from './world.ts'
import type { WorldOptions } from './world-options.ts'

/** For `WorldOptions.controllers`: those that bring NodeClaims and their Nodes to life and to their end. */
export const lifecycle =
  (timeouts: Partial<LivenessTimeouts> = {}) =>
  (deps: Deps): readonly Controller[] =>
    lifecycleControllers(deps, { outcomes: new RegistrationOutcomes(), timeouts })

/**
 * A world in which only the controllers of the lifecycle run. The KWOK provider plays the kubelets, so that the tests cover
 * what it does on a real API server.
 */
export const lifecycleWorld = async (options: WorldOptions = {}): Promise<World> =>
  await World.create({ controllers: lifecycle(), cluster: 'controller-manager', ...options })

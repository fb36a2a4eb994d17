import { type ControllerSettings, defaultControllerSettings } from '@kerf/controllers'
import { hasForeignNodes } from '../runs/foreign-nodes.ts'
import type { SimulatedRun } from '../runs/simulated-run.ts'

/**
 * The number of pods per plan for which Kerf searches thoroughly. It is much smaller than the default, because the simulation does not
 * check the cost of plans.
 */
const PLAN_BUDGET = 4

/**
 * Returns the settings that all Kerf processes of a run use. All features are on. Every second seed also enables spot-to-spot
 * consolidation. Nodes of another autoscaler do not count as free capacity.
 */
export const runSettings = (run: SimulatedRun): ControllerSettings => ({
  ...defaultControllerSettings,
  planBudget: PLAN_BUDGET,
  disableClusterStateObservability: true,
  ...(hasForeignNodes(run) ? { foreignNodes: 'ignore' } : {}),
  planExpectedPods: run.expectedPods === undefined ? 'off' : 'on',
  featureGates: {
    ...defaultControllerSettings.featureGates,
    StaticCapacity: true,
    NodeOverlay: true,
    CapacityBuffer: true,
    SpotToSpotConsolidation: run.seed % 2 === 0,
  },
})

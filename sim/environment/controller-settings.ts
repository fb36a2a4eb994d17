import { type ControllerSettings, defaultControllerSettings } from '@kerf/controllers'
import { hasForeignNodes } from '../runs/foreign-nodes.ts'
import type { SimulatedRun } from '../runs/simulated-run.ts'

/** A fraction of the default for a small batch, because the simulation does not test how cheap plans are. */
const PLAN_BUDGET = 4

/**
 * The settings of every Kerf of a run. All features are on; every other seed also moves from spot to spot. Nodes of another autoscaler
 * are no free room.
 */
export const settingsOf = (run: SimulatedRun): ControllerSettings => ({
  ...defaultControllerSettings,
  planBudget: PLAN_BUDGET,
  disableClusterStateObservability: true,
  ...(hasForeignNodes(run) ? { foreignNodes: 'ignore' } : {}),
  featureGates: {
    ...defaultControllerSettings.featureGates,
    StaticCapacity: true,
    NodeOverlay: true,
    CapacityBuffer: true,
    SpotToSpotConsolidation: run.seed % 2 === 0,
  },
})

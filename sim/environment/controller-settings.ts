import { type ControllerSettings, defaultControllerSettings } from '@kerf/controllers'
import type { SimulatedRun } from '../runs/simulated-run.ts'

/** A fraction of the default for a small batch, because the simulation does not test how cheap plans are. */
const PLAN_BUDGET = 4

/** The settings of every Kerf of a run. All features are on; every other seed also moves from spot to spot. */
export const settingsOf = ({ seed }: SimulatedRun): ControllerSettings => ({
  ...defaultControllerSettings,
  planBudget: PLAN_BUDGET,
  disableClusterStateObservability: true,
  featureGates: {
    ...defaultControllerSettings.featureGates,
    StaticCapacity: true,
    NodeOverlay: true,
    CapacityBuffer: true,
    SpotToSpotConsolidation: seed % 2 === 0,
  },
})

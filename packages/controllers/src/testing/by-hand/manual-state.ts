import { ClusterState } from '../../state/cluster-state.ts'
import { type ManualOptions, manualDeps } from './manual-deps.ts'

/** Returns cluster state with informers that the test fills. */
export const manualState = (options: ManualOptions = {}) => {
  const manual = manualDeps(options)
  const state = new ClusterState(manual.deps)
  state.follow()
  return { ...manual, state }
}

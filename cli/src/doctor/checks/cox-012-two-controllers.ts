import { type Check, foundAny } from '../check.ts'
import { objectName } from '../object-name.ts'

export const cox012: Check = {
  id: 'COX-012',
  group: 'coexistence',
  severity: 'critical',
  title: 'Two controllers for the same NodePools',
  why: 'Two Karpenters, or Karpenter and Kerf with different leases, act on the same NodePools: each launches and removes nodes, and undoes what the other did. With one lease one of them waits, which is how a hand-over works.',
  reads: ['Deployment'],
  examine({ controllers }) {
    const running = controllers.filter(({ spec }) => (spec.replicas ?? 1) > 0)
    return foundAny(
      running.length > 1 ? running.map(objectName) : [],
      {
        seen: `${running.length} Deployments run a controller for NodePools`,
        remedy: 'scale all but one to zero: kubectl -n NAMESPACE scale deployment NAME --replicas 0',
      },
      running.length === 1 ? 'one controller' : 'no controller was found',
    )
  },
}

import { type DashboardCase, readyClass, resourceSchema } from '@kerf/provider-contract/dashboard/testing'
import { clusterApiNodeClassResource } from '../src/node-class/cluster-api-node-class.ts'

/** A typical class. */
export const dashboardCases: readonly DashboardCase[] = [
  {
    provider: 'Cluster API',
    plural: 'clusterapinodeclasses',
    schema: resourceSchema(clusterApiNodeClassResource),
    example: readyClass('karpenter.cluster.x-k8s.io/v1alpha1', 'ClusterAPINodeClass', {
      scalableResourceSelector: { matchLabels: { team: 'racks' } },
    }),
    shown: ['team=racks'],
    mistake: ['matchLabels', 'matchLabel', 'spec.scalableResourceSelector.matchLabel: unknown field'],
  },
]

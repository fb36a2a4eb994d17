import { callsTable } from '../../../tests/benchmarks/calls-table.ts'
import type { GeneratedPage } from '../../../tools/generated-page.ts'
import { recordedCalls, SIZES } from './recorded-calls.ts'

const table = (cluster: 'workload' | 'management'): string => {
  const recorded = recordedCalls()
  return callsTable(SIZES, (size) => recorded[`${size}`]?.[cluster], { head: 'call', plural: 'calls' })
}

const content = (): string => `# Calls to the two clusters of Cluster API

What Kerf with \`--provider=cluster-api\` asks of the API servers of the workload cluster and of the management cluster when nothing is to be done:
one ClusterAPINodeClass, one NodePool, one MachineDeployment, and 0 or 1,000 nodes. The page is written by \`npm run generate\` from the counts of
\`npm run bench:cluster-api-calls\`, which runs all of Kerf in virtual time over two API servers in memory, and fails when a
number is above this page. \`providers/cluster-api/bench/cluster-api-calls.test.ts\` compares a part of it in every run of the tests.

The API servers in memory take no SelfSubjectAccessReview; a real one is asked once for each verb that Kerf needs, in the first minute.
A watch stays open for five to ten minutes and is then opened again. Kerf's Lease is renewed every two seconds. The steady hour begins ten minutes
after the start.

## Management cluster

${table('management')}

Upstream's provider (kubernetes-sigs/karpenter-provider-cluster-api 2e0fec7) reads through a cache of controller-runtime too, of
Machines and MachineDeployments in all namespaces: two lists and two watches at its start, and those two watches opened again later. Kerf has
two more, on MachineSets and Clusters, which say whether a mark takes the right Machine and which Clusters are paused; and of Machines it
watches those of its own Cluster only.

## Workload cluster

${table('workload')}
`

/** The page with the calls to both clusters, from the recorded counts. */
export const callsPage: GeneratedPage = { path: 'providers/cluster-api/docs/cluster-api-calls.md', content }

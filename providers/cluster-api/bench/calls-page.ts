import { callsTable } from '../../../tests/benchmarks/calls-table.ts'
import type { GeneratedPage } from '../../../tools/generated-page.ts'
import { recordedCalls, SIZES } from './recorded-calls.ts'

const table = (cluster: 'workload' | 'management'): string => {
  const recorded = recordedCalls()
  return callsTable(SIZES, (size) => recorded[`${size}`]?.[cluster], { head: 'call', plural: 'calls' })
}

const content = (): string => `# Calls to the two clusters of Cluster API

This page counts the calls of Kerf with \`--provider=cluster-api\` to the API servers of the workload cluster and of the management cluster while idle:
one ClusterAPINodeClass, one NodePool, one MachineDeployment, and 0 or 1,000 nodes. \`npm run generate\` writes it from the counts of
\`npm run bench:cluster-api-calls\`. That command runs all of Kerf in virtual time against two in-memory API servers, and fails if a
number is above this page. \`providers/cluster-api/bench/cluster-api-calls.test.ts\` compares a part of it in every test run.

The in-memory API servers accept no SelfSubjectAccessReview. A real API server receives one for each verb that Kerf needs, in the first minute.
A watch stays open for five to ten minutes and is then reopened. Kerf renews its Lease every two seconds. The steady hour begins ten minutes
after the start.

## Management cluster

${table('management')}

Upstream's provider (kubernetes-sigs/karpenter-provider-cluster-api 2e0fec7) also reads through a cache, that of controller-runtime. It caches
Machines and MachineDeployments in all namespaces: two lists and two watches at its start, and the same two watches reopened later. Kerf has
two more watches, on MachineSets and Clusters. They show whether a mark removes the right Machine and which Clusters are paused. Kerf watches only
the Machines of its own Cluster.

## Workload cluster

${table('workload')}
`

/** The page with the calls to both clusters, from the recorded counts. */
export const callsPage: GeneratedPage = { path: 'providers/cluster-api/docs/cluster-api-calls.md', content }

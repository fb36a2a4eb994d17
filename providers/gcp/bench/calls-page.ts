import { callsTable } from '../../../tests/benchmarks/calls-table.ts'
import { recordedCalls, SIZES } from '../../../tests/benchmarks/recorded-calls.ts'
import type { GeneratedPage } from '../../../tools/generated-page.ts'

const RECORDED = new URL('recorded-calls.json', import.meta.url)

const table = (): string => {
  const recorded = recordedCalls(RECORDED)
  return callsTable(SIZES, (size) => recorded[`${size}`], { head: 'method', plural: 'requests' })
}

const content = (): string => `# Calls to Google Cloud

This page counts the requests of Kerf with \`--provider=gcp\` to Google Cloud on an idle cluster: one GCENodeClass, one NodePool, and 0 or
1,000 nodes in three zones. \`npm run generate\` writes it from the counts of \`npm run bench:calls -- gcp\`. That command runs all of Kerf in
virtual time against a fake of Compute Engine and GKE that the SDK's own clients call. It fails if a count exceeds the count on this page,
or if a request changes something. In every test run, \`providers/gcp/bench/gcp-calls.test.ts\` checks some of the counts.

The requests are named as in Google's API descriptions. If a list has several pages (of 500 instances each), each page counts as a request.
The "steady hour" begins ten minutes after Kerf starts. The fake has four zones and nine instance types in its region. In a real region, the
list of types has more pages.

${table()}

A launch needs one insert, two to ten reads of its operation, and one read of the instance.

Upstream (CloudPilot's provider at \`417f047b\`) sends about six requests a minute at rest, with 0 and with 1,000 nodes. We counted them in
its code: Karpenter's garbage collection and its own each read the region and list the instances of four zones every two minutes (five
requests a minute together), and a class reads its images with one list and three reads every five minutes. Upstream also reads a third
party's price file every twelve hours. For each type that it tries, a launch lists the instance templates of the region.
`

/** The documentation page about the calls to Google Cloud, generated from the recorded counts. */
export const callsPage: GeneratedPage = { path: 'providers/gcp/docs/gcp-calls.md', content }

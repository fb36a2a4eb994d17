import { callsTable } from '../../../tests/benchmarks/calls-table.ts'
import { recordedCalls, SIZES } from '../../../tests/benchmarks/recorded-calls.ts'
import type { GeneratedPage } from '../../../tools/generated-page.ts'

const RECORDED = new URL('recorded-calls.json', import.meta.url)

const table = (): string => {
  const recorded = recordedCalls(RECORDED)
  return callsTable(SIZES, (size) => recorded[`${size}`], { head: 'method', plural: 'requests' })
}

const content = (): string => `# Calls to Google Cloud

This page shows how many requests Kerf sends with \`--provider=gcp\` on an idle cluster: one GCENodeClass, one NodePool, and 0 or 1,000
nodes in three zones. \`npm run generate\` writes it from the counts of \`npm run bench:calls -- gcp\`. That command runs all of Kerf in
virtual time. The SDK's own clients call a fake of Compute Engine and GKE. The command fails if a count exceeds the count on this page, or
if a request changes something. In every test run, \`providers/gcp/bench/gcp-calls.test.ts\` checks some of the counts.

The names of the requests are those in Google's API descriptions. If a list has several pages (of 500 instances each), each page counts as a
request. The "steady hour" begins ten minutes after Kerf starts. The fake has four zones and nine instance types in its region. In a real
region, the list of types has more pages.

${table()}

A launch needs one insert, two to ten reads of its operation, and one read of the instance.

Upstream (CloudPilot's provider at \`417f047b\`) sends about six requests a minute while idle, with 0 and with 1,000 nodes. We counted them
in its code. Karpenter's garbage collection and upstream's own each read the region and list the instances of four zones every two minutes.
Together, this is five requests a minute. For each class, upstream reads the images with one list and three reads every five minutes. It
also reads a third party's price file every twelve hours. A launch lists the region's instance templates for each type that it tries.
`

/** The documentation page about the calls to Google Cloud, generated from the recorded counts. */
export const callsPage: GeneratedPage = { path: 'providers/gcp/docs/gcp-calls.md', content }

import { callsTable } from '../../../tests/benchmarks/calls-table.ts'
import type { GeneratedPage } from '../../../tools/generated-page.ts'
import { recordedCalls, SIZES } from './recorded-calls.ts'

const table = (): string => {
  const recorded = recordedCalls()
  return callsTable(SIZES, (size) => recorded[`${size}`], { head: 'method', plural: 'requests' })
}

const content = (): string => `# Calls to Google Cloud

This page counts the requests of Kerf with \`--provider=gcp\` to Google Cloud on an idle cluster: one GCENodeClass, one NodePool, and 0 or
1,000 nodes in three zones. \`npm run generate\` writes it from the counts of \`npm run bench:gcp-calls\`. That command runs all of Kerf in
virtual time against a fake of Compute Engine and GKE that the SDK's own clients call. It fails if a number is above this page, or if a
request changes something. \`providers/gcp/bench/gcp-calls.test.ts\` compares a part of it in every test run.

Requests have the names of Google's API descriptions. A list of several pages counts as several requests: a page has 500 instances. The steady
hour begins ten minutes after the start. The fake has four zones and nine instance types in its region; a real region has more pages of types.

${table()}

A launch needs one insert, two to ten reads of its operation, and one read of the instance. Upstream's requests were not counted. By its code
it lists the instances of every zone every two minutes too, and reads the price file of a third party every twelve hours, which Kerf does not.
`

/** The page with the calls to Google Cloud, from the recorded counts. */
export const callsPage: GeneratedPage = { path: 'providers/gcp/docs/gcp-calls.md', content }

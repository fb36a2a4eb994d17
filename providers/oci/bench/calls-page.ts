import { callsTable } from '../../../tests/benchmarks/calls-table.ts'
import { recordedCalls, SIZES } from '../../../tests/benchmarks/recorded-calls.ts'
import type { GeneratedPage } from '../../../tools/generated-page.ts'

const RECORDED = new URL('recorded-calls.json', import.meta.url)

const content = (): string => `# Calls to Oracle Cloud

This page shows how many requests Kerf sends with \`--provider=oci\` on an idle cluster: a node class of both kinds, one NodePool with an
OCINodeClass, and 0 or 1,000 nodes in three availability domains. \`npm run generate\` writes it from the counts of
\`npm run bench:calls -- oci\`. That command runs all of Kerf in virtual time against a fake of Oracle Cloud. It fails if a count exceeds the
count on this page, or if a request changes something. In every test run, \`providers/oci/bench/oci-calls.test.ts\` checks some of the counts.

Kerf reads the network interface and the boot volume of each node once an hour, to check the node for drift from its OCINodeClass. The
"steady hour" begins ten minutes after Kerf starts.

${callsTable(SIZES, (size) => recordedCalls(RECORDED)[`${size}`], { head: 'operation', plural: 'requests' })}

Nobody has counted the requests of the public providers in a tenancy. According to its code, zoom/karpenter-oci sends five requests each
time it checks a NodeClaim for drift.
`

/** The documentation page about the calls to Oracle Cloud, generated from the recorded counts. */
export const callsPage: GeneratedPage = { path: 'providers/oci/docs/oci-calls.md', content }

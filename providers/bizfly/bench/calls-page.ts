import { callsTable } from '../../../tests/benchmarks/calls-table.ts'
import { recordedCalls, SIZES } from '../../../tests/benchmarks/recorded-calls.ts'
import type { GeneratedPage } from '../../../tools/generated-page.ts'

const RECORDED = new URL('recorded-calls.json', import.meta.url)

const content = (): string => `# Calls to Bizfly Cloud

This page shows how many requests Kerf sends with \`--provider=bizfly\` on an idle cluster: one BizflyCloudNodeClass, one NodePool, and 0 or
1,000 nodes. \`npm run generate\` writes it from the counts of \`npm run bench:calls -- bizfly\`. That command runs all of Kerf in virtual
time against a fake of Bizfly Cloud. It fails if a count exceeds the count on this page, or if a request changes something. In every test
run, \`providers/bizfly/bench/bizfly-calls.test.ts\` checks some of the counts.

Bizfly Cloud documents no pagination, so one request lists all servers of the project. The "steady hour" begins ten minutes after Kerf
starts.

${callsTable(SIZES, (size) => recordedCalls(RECORDED)[`${size}`], { head: 'call', plural: 'requests' })}

Nobody has counted the requests of Bizfly's own provider on an account. According to its code, the provider has no cache. It reads all
flavors each time it lists instance types, and one server each time it checks a node for drift.
`

/** The documentation page about the calls to Bizfly Cloud, generated from the recorded counts. */
export const callsPage: GeneratedPage = { path: 'providers/bizfly/docs/bizfly-calls.md', content }

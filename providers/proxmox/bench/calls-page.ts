import { callsTable } from '../../../tests/benchmarks/calls-table.ts'
import { recordedCalls, SIZES } from '../../../tests/benchmarks/recorded-calls.ts'
import type { GeneratedPage } from '../../../tools/generated-page.ts'

const RECORDED = new URL('recorded-calls.json', import.meta.url)

const content = (): string => `# Calls to Proxmox

This page counts the requests of Kerf with \`--provider=proxmox\` on an idle cluster: one ProxmoxNodeClass with an unmanaged template, one
NodePool, three hypervisors, and 0 or 1,000 nodes. \`npm run generate\` writes it from the counts of \`npm run bench:calls -- proxmox\`. That command runs all of Kerf in virtual time against a
fake of Proxmox. It fails if a count exceeds the count on this page, or if a request changes something. In every test run,
\`providers/proxmox/bench/proxmox-calls.test.ts\` checks some of the counts.

One answer of \`cluster/resources\` has all hypervisors, storages and guests of a Proxmox cluster. The description of each guest is read once
after a start. The "steady hour" begins ten minutes after Kerf starts.

${callsTable(SIZES, (size) => recordedCalls(RECORDED)[`${size}`], { head: 'call', plural: 'requests' })}

Nobody counted the requests of Karpenter's own provider on a cluster. According to its code, it reads the load of each hypervisor every
minute, and the configuration of every guest every 15 minutes.
`

/** The documentation page about the calls to Proxmox, generated from the recorded counts. */
export const callsPage: GeneratedPage = { path: 'providers/proxmox/docs/proxmox-calls.md', content }

import { callsTable } from '../../../tests/benchmarks/calls-table.ts'
import { recordedCalls, SIZES } from '../../../tests/benchmarks/recorded-calls.ts'
import type { GeneratedPage } from '../../../tools/generated-page.ts'

const RECORDED = new URL('recorded-calls.json', import.meta.url)

const content = (): string => `# Calls to Proxmox

This page shows how many requests Kerf sends with \`--provider=proxmox\` on an idle cluster: one ProxmoxNodeClass with an unmanaged
template, one NodePool, three hypervisors, and 0 or 1,000 nodes. \`npm run generate\` writes it from the counts of
\`npm run bench:calls -- proxmox\`. That command runs all of Kerf in virtual time against a fake of Proxmox. It fails if a count exceeds the
count on this page, or if a request changes something. In every test run, \`providers/proxmox/bench/proxmox-calls.test.ts\` checks some of
the counts.

A single response of \`cluster/resources\` contains all hypervisors, storages and guests of a Proxmox cluster. After a start, Kerf reads the
description of each guest once. The "steady hour" begins ten minutes after Kerf starts.

${callsTable(SIZES, (size) => recordedCalls(RECORDED)[`${size}`], { head: 'call', plural: 'requests' })}

Nobody has counted the requests of Karpenter's Proxmox provider on a cluster. According to its code, it reads the load of each hypervisor
every minute, and the configuration of every guest every 15 minutes.
`

/** The documentation page about the calls to Proxmox, generated from the recorded counts. */
export const callsPage: GeneratedPage = { path: 'providers/proxmox/docs/proxmox-calls.md', content }

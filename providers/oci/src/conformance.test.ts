import { type CheckId, defineProviderConformance } from '@kerf/provider-contract/conformance'
import { ociDriver } from './testing/conformance-driver.ts'

/**
 * The checks in which the two node class kinds differ: hashes, tags, labels, sizes, capacity types, scripts, drift and status. All other
 * code is independent of the kind, so the remaining checks of OciNodeClass run only at night.
 */
const byKind: ReadonlySet<CheckId> = new Set([
  ...([
    'C01',
    'C02',
    'C04',
    'C05',
    'C06',
    'C09',
    'C10',
    'C11',
    'C12',
    'C13',
    'C17',
    'C19',
    'C20',
    'C26',
    'C29',
  ] as const),
  ...(['D01', 'D08', 'G04', 'L01', 'L02', 'L04', 'T02', 'T06', 'H01', 'H04', 'H05', 'B08', 'B12'] as const),
])

defineProviderConformance(ociDriver('oracle'), { generalOneIn: 2 })
defineProviderConformance(ociDriver('community'), { isNightly: (id) => !byKind.has(id), generalOneIn: 2 })

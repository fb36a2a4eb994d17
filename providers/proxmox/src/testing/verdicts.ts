import { type KindVerdicts, type Random, recordedVerdicts, withFaults } from '@kerf/provider-kit/testing'
import { proxmoxNodeClassResource } from '../node-class/proxmox-node-class.ts'
import { proxmoxTemplateResource } from '../node-class/proxmox-template.ts'
import { unmanagedTemplateResource } from '../node-class/unmanaged-template.ts'
import { randomClassSpec, randomTemplateSpec, randomUnmanagedSpec } from './random-specs.ts'

/** Invalid or unusual values that replace a valid value. */
const JUNK: readonly unknown[] = [
  ...[0, -1, 1, 9, 10, 251, 575, 3.5, 4_095, 2_147_483_648, 9_007_199_254_740_991],
  ...['', 'x', 'a b', 'net', '30', '30g', '1.5G', '30GiB', 'a//b', '/a', 'a/b/c/d', 'none', 'a\nb', 'x'.repeat(129)],
  ...['http://localhost/a', 'https://10.0.0.1/a', 'ftp://a.io/b', true, false, null, [], {}, ['a'], { name: 'a' }],
]

const options = (plural: string, make: (random: Random) => unknown) => ({
  ...{ folder: import.meta.url, seed: `verdicts of ${plural}` },
  make: (random: Random) => withFaults(random, make(random), JUNK),
})

/** Returns the verdicts of the CRDs of sergelogvinov/karpenter-provider-proxmox 373cfeb on random specs. */
export const proxmoxVerdicts = (): readonly KindVerdicts[] => [
  recordedVerdicts(proxmoxNodeClassResource, options('proxmoxnodeclasses', randomClassSpec)),
  recordedVerdicts(proxmoxTemplateResource, options('proxmoxtemplates', randomTemplateSpec)),
  recordedVerdicts(unmanagedTemplateResource, {
    ...options('proxmoxunmanagedtemplates', randomUnmanagedSpec),
    count: 200,
  }),
]

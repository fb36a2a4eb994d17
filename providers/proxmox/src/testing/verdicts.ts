import { readFileSync } from 'node:fs'
import type { CustomResource, KubeObject } from '@kerf/apis'
import { type Random, withFaults } from '@kerf/provider-kit/testing'
import { SeededRandom } from '@kerf/runtime'
import { proxmoxNodeClassResource } from '../node-class/proxmox-node-class.ts'
import { proxmoxTemplateResource } from '../node-class/proxmox-template.ts'
import { unmanagedTemplateResource } from '../node-class/unmanaged-template.ts'
import { randomClassSpec, randomTemplateSpec, randomUnmanagedSpec } from './random-specs.ts'

/** A random spec, and how a real API server with the CRD of Karpenter's provider validated it. */
interface Verdict {
  readonly spec: unknown
  /** The result, in the format of `verdictLine`. */
  readonly line: string
}

export interface KindVerdicts {
  readonly resource: CustomResource<KubeObject>
  readonly verdicts: readonly Verdict[]
}

/** Invalid or unusual values that replace a valid value. */
const JUNK: readonly unknown[] = [
  ...[0, -1, 1, 9, 10, 251, 575, 3.5, 4_095, 2_147_483_648, 9_007_199_254_740_991],
  ...['', 'x', 'a b', 'net', '30', '30g', '1.5G', '30GiB', 'a//b', '/a', 'a/b/c/d', 'none', 'a\nb', 'x'.repeat(129)],
  ...['http://localhost/a', 'https://10.0.0.1/a', 'ftp://a.io/b', true, false, null, [], {}, ['a'], { name: 'a' }],
]

const recorded: readonly string[] = readFileSync(new URL('verdicts.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')

const verdictsOf = (name: string, make: (random: Random) => unknown, count: number): readonly Verdict[] => {
  const random = new SeededRandom(`verdicts of ${name}`)
  const lines = recorded.filter((line) => line.startsWith(`${name}\t`)).map((line) => line.slice(name.length + 1))
  return Array.from({ length: count }, (_, index) => ({
    spec: withFaults(random, make(random), JUNK),
    line: lines[index] ?? '',
  }))
}

/**
 * Returns 500 random node classes, 500 templates and 200 unmanaged templates, each with the result of a real API server with the CRDs of
 * sergelogvinov/karpenter-provider-proxmox 373cfeb. `providers/proxmox/tests/upstream-definition.test.ts` records them.
 */
export const proxmoxVerdicts = (): readonly KindVerdicts[] => [
  { resource: proxmoxNodeClassResource, verdicts: verdictsOf('proxmoxnodeclasses', randomClassSpec, 500) },
  { resource: proxmoxTemplateResource, verdicts: verdictsOf('proxmoxtemplates', randomTemplateSpec, 500) },
  { resource: unmanagedTemplateResource, verdicts: verdictsOf('proxmoxunmanagedtemplates', randomUnmanagedSpec, 200) },
]

import { SIZES } from './generated/sizes.ts'

/** The facts of a size that are known without calling Azure. */
export interface KnownSize {
  readonly quotaFamily: string
  readonly vcpus: number
  readonly memoryMiB: number
  readonly gpus: number
  readonly arch: 'amd64' | 'arm64'
}

const entries = SIZES.trim()
  .split('\n')
  .flatMap((line) => {
    const [quotaFamily = '', sizes = ''] = line.split(': ')
    return sizes.split(' ').map((text) => [quotaFamily, text] as const)
  })

const amountsOf = (quotaFamily: string, text: string): readonly (readonly [string, KnownSize])[] => {
  const [name = '', amounts] = text.replace('!', '').split('=')
  if (amounts === undefined) return []
  const [vcpus, memoryMiB, gpus = '0', arch] = amounts.split('/')
  const size = {
    quotaFamily,
    vcpus: Number(vcpus),
    memoryMiB: Number(memoryMiB),
    gpus: Number(gpus),
    arch: arch === 'arm64' ? 'arm64' : 'amd64',
  } as const
  return [[`Standard_${name}`, size]]
}

/** The sizes whose amounts are known, by name. */
export const knownSizes: ReadonlyMap<string, KnownSize> = new Map(
  entries.flatMap(([family, text]) => amountsOf(family, text)),
)

const triedNames: ReadonlySet<string> = new Set(
  entries.flatMap(([, text]) => (text.endsWith('!') ? [] : [`Standard_${text.split('=')[0]}`])),
)

/** Returns true if nodes of the size are known to have run. Other sizes have no price, so that Kerf prefers tested ones. */
export const isTriedSize = (name: string): boolean => triedNames.has(name)

import { GPU_SIZES } from './generated/gpu-sizes.ts'

export interface GpuSize {
  readonly manufacturer: 'nvidia' | 'amd'
  /** The operating systems for which AKS has drivers: `ubuntu`, `azurelinux`, `azurelinux3`, `windows`. */
  readonly systems: readonly string[]
}

const byName: ReadonlyMap<string, GpuSize> = new Map(
  GPU_SIZES.trim()
    .split('\n')
    .map((line) => {
      const [name = '', manufacturer, systems = ''] = line.split(' ')
      return [name, { manufacturer: manufacturer === 'amd' ? 'amd' : 'nvidia', systems: systems.split(',') }] as const
    }),
)

/** Returns AKS's GPU data of a size. Undefined for a size without GPUs, or one that AKS does not support. */
export const findGpuSize = (name: string): GpuSize | undefined => byName.get(name.toLowerCase().replace(/_promo$/, ''))

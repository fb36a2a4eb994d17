import { GPU_SIZES } from './generated/gpu-sizes.ts'

export interface GpuSize {
  readonly manufacturer: 'nvidia' | 'amd'
  /** Systems that AKS has drivers for: `ubuntu`, `azurelinux`, `azurelinux3`, `windows`. */
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

/** What AKS knows of the GPUs of a size; undefined for one without, and for one that AKS does not support. */
export const gpuSizeOf = (name: string): GpuSize | undefined => byName.get(name.toLowerCase().replace(/_promo$/, ''))

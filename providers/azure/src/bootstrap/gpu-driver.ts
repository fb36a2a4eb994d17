/** The GPU driver that AKS images install. The name of the installer image consists of all three fields. */
export interface GpuDriver {
  readonly type: 'grid-v20' | 'grid' | 'cuda' | 'cuda-lts'
  readonly version: string
  /** The suffix of the installer image's build. */
  readonly imageSuffix: string
}

/** The suffix in the AKS image release that upstream uses (`providers/azure/docs/spec/azure.md#bootstrapping`). */
const CUDA_LTS_SUFFIX = '20260629214430'
const GRID_V20: GpuDriver = { type: 'grid-v20', version: '595.58.03', imageSuffix: '20260609172331' }
const GRID: GpuDriver = { type: 'grid', version: '570.211.01', imageSuffix: '20260522192315' }
const FIRST_GENERATION: GpuDriver = { type: 'cuda', version: '470.82.01', imageSuffix: CUDA_LTS_SUFFIX }
const CUDA_LTS: GpuDriver = { type: 'cuda-lts', version: '580.159.04', imageSuffix: CUDA_LTS_SUFFIX }

/**
 * Returns the driver for a size with NVIDIA GPUs. RTX PRO 6000, A10 and the first NC sizes (without a version) each have a separate driver.
 * All other sizes share one driver.
 */
export const chooseGpuDriver = (sizeName: string): GpuDriver => {
  const name = sizeName.toLowerCase()
  if (/^standard_nc\d+l?ds_xl_rtxpro6000bse_v6$/.test(name)) return GRID_V20
  if (/^standard_(nv\d+adm?s_a10_v5|nc\d+ads_a10_v4)$/.test(name)) return GRID
  return /^standard_nc/.test(name) && !name.includes('_v') ? FIRST_GENERATION : CUDA_LTS
}

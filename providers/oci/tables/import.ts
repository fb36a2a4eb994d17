import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Shape {
  readonly isFlexible: boolean
  readonly ocpus?: number
  readonly memoryInGBs?: number
  readonly ocpuOptions?: { readonly min: number; readonly max: number }
  readonly memoryOptions?: {
    readonly minInGBs: number
    readonly maxInGBs: number
    readonly defaultPerOcpuInGBs: number | null
    readonly minPerOcpuInGBs: number
    readonly maxPerOcpuInGBs: number
  }
  readonly gpus?: number
  readonly maxVnicsLinux?: number
  readonly networkBandwidth?: string
  readonly localDisk?: string
  readonly burstable?: boolean
}

interface Price {
  readonly ocpuUnitPrice: number
  readonly memoryUnitPrice: number
  readonly diskUnitPrice: number
  readonly monthlyPriceInUSD?: number
}

/** Returns the first network bandwidth in a text such as `2 x 50 Gbps` or `1 Gbps per OCPU, maximum 40 Gbps`. */
const bandwidth = (text = ''): string => {
  const [, perOcpu, most] = /^([\d.]+) Gbps per OCPU, maximum ([\d.]+) Gbps$/.exec(text) ?? []
  if (perOcpu !== undefined) return ` gbps=${perOcpu}-${most}/ocpu`
  const [, count = '1', each] = /^(?:(\d+) ?x )?([\d.]+) Gbps/i.exec(text) ?? []
  return each === undefined ? '' : ` gbps=${Number(count) * Number(each)}`
}

const sizes = ({ isFlexible, ocpus = 0, memoryInGBs = 0, ocpuOptions, memoryOptions }: Shape): string => {
  if (!isFlexible || ocpuOptions === undefined || memoryOptions === undefined)
    return `ocpus=${ocpus} memory=${memoryInGBs}`
  const { minInGBs, maxInGBs, defaultPerOcpuInGBs, minPerOcpuInGBs, maxPerOcpuInGBs } = memoryOptions
  const usual = defaultPerOcpuInGBs === null ? '' : ` default=${defaultPerOcpuInGBs}`
  return `ocpus=${ocpuOptions.min}-${ocpuOptions.max} memory=${minInGBs}-${maxInGBs} perOcpu=${minPerOcpuInGBs}-${maxPerOcpuInGBs}${usual}`
}

const shapeLine = (name: string, shape: Shape): string => {
  const [, disk] = /^([\d.]+) ?TB/.exec(shape.localDisk ?? '') ?? []
  return [
    `${name} ${sizes(shape)}`,
    shape.gpus === undefined ? '' : ` gpus=${shape.gpus}`,
    shape.maxVnicsLinux === undefined ? '' : ` vnics=${shape.maxVnicsLinux}`,
    bandwidth(shape.networkBandwidth),
    name.startsWith('BM.DenseIO') || (disk !== undefined && !shape.isFlexible) ? ` disk=${disk ?? 0}` : '',
    shape.burstable === true ? ' burstable=true' : '',
  ].join('')
}

/** Returns a line of the price table. The price of a GPU shape is the price of one GPU, although the source calls it an OCPU price. */
const priceLine = (name: string, price: Price): string => {
  const { ocpuUnitPrice, memoryUnitPrice, diskUnitPrice, monthlyPriceInUSD: month } = price
  // The note in parentheses is not part of the name.
  const shape = name.replace(/ \(.*\)$/, '')
  const rates = shape.includes('.GPU')
    ? `gpu=${ocpuUnitPrice}`
    : `ocpu=${ocpuUnitPrice} memory=${memoryUnitPrice} disk=${diskUnitPrice}`
  return `${shape} ${rates}${month === undefined ? '' : ` month=${month}`}`
}

const lines = <T>(entries: Readonly<Record<string, T>>, line: (name: string, entry: T) => string): string =>
  Object.entries(entries)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, entry]) => line(name, entry))
    .join('\n')

/**
 * Returns the published tables by name, for `npm run tables -- oci DIRECTORY`.
 * @param directory contains shapes.json and prices.json in the format of Oracle's shape metadata: objects by shape name
 */
export const importTables = (directory: string | undefined): Readonly<Record<string, string>> => {
  if (directory === undefined) throw new Error('usage: npm run tables -- oci DIRECTORY')
  const read = <T>(file: string): T => JSON.parse(readFileSync(join(directory, file), 'utf8'))
  return {
    shapes: lines(read<Readonly<Record<string, Shape>>>('shapes.json'), shapeLine),
    prices: lines(read<{ readonly prices: Readonly<Record<string, Price>> }>('prices.json').prices, priceLine),
  }
}

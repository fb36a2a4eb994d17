import { ownValue } from '@kerf/apis'
import type { Product } from './action-routes.ts'

/** The URL of each product's API. */
export type Endpoints = Readonly<Record<Product, string>>

/** The regions in which the public name of an endpoint is irregular, from the vendor's SDK. */
const PUBLIC: Readonly<Record<string, Partial<Readonly<Record<Product, string>>>>> = {
  'cn-hangzhou': { ecs: 'ecs-cn-hangzhou.aliyuncs.com', vpc: 'vpc.aliyuncs.com' },
}

/**
 * Returns the endpoints of a region. `network` is `vpc` for those that are reachable only inside a VPC, or empty for the public ones.
 */
export const endpointsIn = (region: string, network: '' | 'vpc'): Endpoints => {
  const known = network === '' ? ownValue(PUBLIC, region) : undefined
  const url = (product: Product): string =>
    `https://${known?.[product] ?? `${product}${network === '' ? '' : `-${network}`}.${region}.aliyuncs.com`}`
  return { ecs: url('ecs'), vpc: url('vpc'), cs: url('cs') }
}

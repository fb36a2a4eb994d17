import type { CloudProvider, ProviderContext } from '@kerf/provider-contract'
import { ExampleProvider, type ServerApi } from '@kerf/provider-example'

/** Creates a provider for the example cloud. */
export type Plant = (context: ProviderContext, servers: ServerApi) => CloudProvider

/** Returns a copy of the object with some methods or properties replaced. */
const replaced = <T extends object>(target: T, replacements: Partial<T>): T =>
  new Proxy(target, {
    get: (_, property) => {
      const own: unknown = Reflect.get(replacements, property)
      if (own !== undefined) return own
      const member: unknown = Reflect.get(target, property, target)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })

/** Plants a fault in the provider itself: returns the example provider with some of its methods replaced. */
export const inProvider =
  (fault: (provider: CloudProvider, servers: ServerApi, context: ProviderContext) => Partial<CloudProvider>): Plant =>
  (context, servers) => {
    const provider = new ExampleProvider(context, servers)
    return replaced<CloudProvider>(provider, fault(provider, servers, context))
  }

/** Plants a fault in the provider's calls to its cloud: returns the example provider with some calls of its server API replaced. */
export const inCalls =
  (fault: (servers: ServerApi, context: ProviderContext) => Partial<ServerApi>): Plant =>
  (context, servers) =>
    new ExampleProvider(context, replaced(servers, fault(servers, context)))

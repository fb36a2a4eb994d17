import type { Resource } from '../resources/resource.ts'
import { ensureObject, type JsonObject, stringAt } from '../store/json.ts'

/** Assigns cluster IPs from 10.96.0.0/12 in order. Clients only see them; nothing routes traffic to them. */
export class ServiceAddresses {
  private next = 10

  assign(resource: Resource, draft: JsonObject): void {
    if (resource.group !== '' || resource.plural !== 'services') return
    const spec = ensureObject(draft, 'spec')
    if (spec['type'] === 'ExternalName') return
    if ((stringAt(spec, 'clusterIP') ?? '') === '') {
      const number = this.next++
      spec['clusterIP'] = `10.${96 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`
    }
    if (!Array.isArray(spec['clusterIPs'])) spec['clusterIPs'] = [String(spec['clusterIP'])]
  }
}

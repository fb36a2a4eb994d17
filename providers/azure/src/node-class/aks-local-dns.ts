import { DURATION, enumField, listField, object, optional, type Rule, text, whole } from '@kerf/apis/schema'

const zoneOverride = object(
  {
    zone: text({
      description: 'The DNS zone of the entry: `.`, `cluster.local` or another domain.',
      minLength: 1,
      maxLength: 254,
      pattern:
        '^(\\.|[A-Za-z0-9]([A-Za-z0-9_-]{0,61}[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9_-]{0,61}[A-Za-z0-9])?)*\\.?)$',
    }),
    queryLogging: enumField(['Error', 'Log'], { description: 'Log: every query is logged; Error: failed ones are.' }),
    protocol: enumField(['PreferUDP', 'ForceTCP'], { description: 'Protocol for queries to the upstream server.' }),
    forwardDestination: enumField(['ClusterCoreDNS', 'VnetDNS'], {
      description: 'The upstream server: that of the cluster, or that of the virtual network.',
    }),
    forwardPolicy: enumField(['Sequential', 'RoundRobin', 'Random'], {
      description: 'Policy for selecting one of several upstream servers.',
    }),
    maxConcurrent: whole({ description: 'Maximum number of concurrent queries.', format: 'int32', minimum: 0 }),
    cacheDuration: text({ description: 'Maximum cache duration, for example 1h.', pattern: DURATION }),
    serveStaleDuration: text({
      description: 'How long expired answers are served, for example 1h.',
      pattern: DURATION,
    }),
    serveStale: enumField(['Verify', 'Immediate', 'Disable'], {
      description:
        'When to serve expired answers. Verify: after the upstream server failed to respond; Immediate: immediately; Disable: never.',
    }),
  },
  {
    description: 'Settings of one zone.',
    rules: [
      {
        rule: "!(self.zone.endsWith('cluster.local') && self.forwardDestination == 'VnetDNS')",
        message: 'queries for "cluster.local" cannot be forwarded to VnetDNS',
      },
      {
        rule: "!(self.serveStale == 'Verify' && self.protocol == 'ForceTCP')",
        message: 'serveStale "Verify" does not work with protocol "ForceTCP"',
      },
    ],
  },
)

const REQUIRED_ZONES: Rule = {
  rule: "['.', 'cluster.local'].all(zone, self.exists(each, each.zone == zone))",
  message: 'the zones "." and "cluster.local" are both required',
}

const overrides = (description: string, rules: readonly Rule[]) =>
  listField(zoneOverride, {
    description,
    listType: 'map',
    listMapKeys: ['zone'],
    maxItems: 100,
    rules: [REQUIRED_ZONES, ...rules],
  })

/** A DNS server on each node (`providers/azure/docs/spec/azure.md#localdns`). */
export const aksLocalDns = () =>
  optional(
    object(
      {
        mode: enumField(['Preferred', 'Required', 'Disabled'], {
          description: 'Preferred: if the cluster supports it (see status.localDNSState). Required: always.',
        }),
        vnetDNSOverrides: overrides('For queries of the kubelet and of pods with dnsPolicy Default.', [
          {
            rule: "!self.exists(each, each.zone == '.' && each.forwardDestination == 'ClusterCoreDNS')",
            message: 'in "vnetDNSOverrides" the zone "." cannot be forwarded to ClusterCoreDNS',
          },
          {
            rule: "!self.exists(each, each.zone != '.' && !each.zone.endsWith('cluster.local') && each.forwardDestination == 'ClusterCoreDNS')",
            message: 'in "vnetDNSOverrides" domains outside the cluster cannot be forwarded to ClusterCoreDNS',
          },
        ]),
        kubeDNSOverrides: overrides('For queries of pods with dnsPolicy ClusterFirst.', []),
      },
      { description: 'A caching DNS server on each node. Absent: none.' },
    ),
  )

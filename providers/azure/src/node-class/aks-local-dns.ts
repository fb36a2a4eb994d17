import { DURATION, listOf, object, oneOf, optional, type Rule, text, whole } from '@kerf/apis/schema'

const zoneOverride = object(
  {
    zone: text({
      description: 'The DNS zone that the entry is about: `.`, `cluster.local` or another domain.',
      minLength: 1,
      maxLength: 254,
      pattern:
        '^(\\.|[A-Za-z0-9]([A-Za-z0-9_-]{0,61}[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9_-]{0,61}[A-Za-z0-9])?)*\\.?)$',
    }),
    queryLogging: oneOf(['Error', 'Log'], { description: 'Log: every query is logged; Error: failed ones are.' }),
    protocol: oneOf(['PreferUDP', 'ForceTCP'], { description: 'How the server asked is reached.' }),
    forwardDestination: oneOf(['ClusterCoreDNS', 'VnetDNS'], {
      description: 'Which server is asked: that of the cluster, or that of the virtual network.',
    }),
    forwardPolicy: oneOf(['Sequential', 'RoundRobin', 'Random'], {
      description: 'Which of several servers is asked first.',
    }),
    maxConcurrent: whole({ description: 'The most queries at a time.', format: 'int32', minimum: 0 }),
    cacheDuration: text({ description: 'How long answers are kept, as 1h.', pattern: DURATION }),
    serveStaleDuration: text({
      description: 'How long an answer is given after it has expired, as 1h.',
      pattern: DURATION,
    }),
    serveStale: oneOf(['Verify', 'Immediate', 'Disable'], {
      description:
        'Verify: an expired answer is given once the server asked has not answered; Immediate: at once; Disable: never.',
    }),
  },
  {
    description: 'What holds for one zone.',
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
  message: 'the zones "." and "cluster.local" are both needed',
}

const overrides = (description: string, rules: readonly Rule[]) =>
  listOf(zoneOverride, {
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
        mode: oneOf(['Preferred', 'Required', 'Disabled'], {
          description: 'Preferred: where the cluster can; status.localDNSState tells. Required: always.',
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
      { description: 'A DNS server on each node, which answers from its memory. Absent: none.' },
    ),
  )

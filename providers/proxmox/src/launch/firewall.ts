import type { FirewallRule } from '../api/proxmox-api.ts'
import type { ProxmoxNodeClassSpec } from '../node-class/proxmox-node-class.ts'

type SecurityGroups = NonNullable<ProxmoxNodeClassSpec['securityGroups']>

/** Returns the rule that applies a security group to an interface. */
const groupRule = ({ name, interface: iface = 'net0' }: SecurityGroups[number]): Omit<FirewallRule, 'pos'> => ({
  ...{ type: 'group', action: name, iface, enable: 1 },
})

const isSame = (a: Omit<FirewallRule, 'pos'>, b: Omit<FirewallRule, 'pos'>): boolean =>
  a.type === b.type && a.action === b.action && a.iface === b.iface

/** Returns the security group rules that a guest lacks. */
export const missingRules = (
  groups: SecurityGroups,
  present: readonly FirewallRule[],
): readonly Omit<FirewallRule, 'pos'>[] =>
  groups.map(groupRule).filter((rule) => !present.some((each) => isSame(each, rule)))

/** Returns the positions of the rules for security groups that the class no longer has, in descending order. */
export const surplusRules = (groups: SecurityGroups, present: readonly FirewallRule[]): readonly number[] =>
  present
    .filter((each) => each.type === 'group' && !groups.map(groupRule).some((rule) => isSame(each, rule)))
    .map(({ pos }) => pos)
    .toSorted((a, b) => b - a)

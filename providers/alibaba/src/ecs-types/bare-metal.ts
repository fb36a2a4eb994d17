/** Returns true for bare metal, which takes a long time to start. Upstream looks for a size `metal`, which no ECS instance type has. */
export const isBareMetal = (name: string): boolean => /^ecs\.(?:ebm|scc)/.test(name)

/** Returns true for bare metal, which takes a long time to start. Upstream looks for the size `metal`, but no ECS instance type has it. */
export const isBareMetal = (name: string): boolean => /^ecs\.(?:ebm|scc)/.test(name)

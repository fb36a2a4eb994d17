// Made by tools/aws-instance-types.ts from data of moto (Apache-2.0): EC2's instance types.

export const INSTANCE_TYPES = `
a1.2xlarge arch=arm64 cpu=8 mib=16384 ghz=2.3 by=AWS cards=4 ipv4=15 ebs=3500 enclaves=unsupported
a1.4xlarge arch=arm64 cpu=16 mib=32768 ghz=2.3 by=AWS cards=8 ipv4=30 ebs=3500 enclaves=unsupported
a1.large arch=arm64 cpu=2 mib=4096 ghz=2.3 by=AWS cards=3 ipv4=10 ebs=3500 enclaves=unsupported
a1.medium arch=arm64 cpu=1 mib=2048 ghz=2.3 by=AWS cards=2 ipv4=4 ebs=3500 enclaves=unsupported
a1.metal arch=arm64 cpu=16 mib=32768 ghz=2.3 by=AWS hypervisor=none metal=yes cards=8 ipv4=30 ebs=3500 enclaves=unsupported
a1.xlarge arch=arm64 cpu=4 mib=8192 ghz=2.3 by=AWS cards=4 ipv4=15 ebs=3500 enclaves=unsupported
c1.medium arch=x86_64 cpu=2 mib=1740 by=Intel hypervisor=xen cards=2 ipv4=6 ena=unsupported optimized=unsupported store=350/unsupported group=partition,spread enclaves=unsupported
c1.xlarge arch=x86_64 cpu=8 mib=7168 by=Intel hypervisor=xen cards=4 ipv4=15 ena=unsupported optimized=supported ebs=1000 store=1680/unsupported group=partition,spread enclaves=unsupported
c3.2xlarge arch=x86_64 cpu=8 mib=15360 ghz=2.8 by=Intel hypervisor=xen cards=4 ipv4=15 ena=unsupported optimized=supported ebs=1000 store=160/unsupported enclaves=unsupported
c3.4xlarge arch=x86_64 cpu=16 mib=30720 ghz=2.8 by=Intel hypervisor=xen cards=8 ipv4=30 ena=unsupported optimized=supported ebs=2000 store=320/unsupported enclaves=unsupported
c3.8xlarge arch=x86_64 cpu=32 mib=61440 ghz=2.8 by=Intel hypervisor=xen cards=8 ipv4=30 ena=unsupported optimized=unsupported store=640/unsupported enclaves=unsupported
c3.large arch=x86_64 cpu=2 mib=3840 ghz=2.8 by=Intel hypervisor=xen cards=3 ipv4=10 ena=unsupported optimized=unsupported store=32/unsupported enclaves=unsupported
c3.xlarge arch=x86_64 cpu=4 mib=7680 ghz=2.8 by=Intel hypervisor=xen cards=4 ipv4=15 ena=unsupported optimized=supported ebs=500 store=80/unsupported enclaves=unsupported
c4.2xlarge arch=x86_64 cpu=8 mib=15360 ghz=2.9 by=Intel hypervisor=xen cards=4 ipv4=15 ena=unsupported ebs=1000 enclaves=unsupported
c4.4xlarge arch=x86_64 cpu=16 mib=30720 ghz=2.9 by=Intel hypervisor=xen cards=8 ipv4=30 ena=unsupported ebs=2000 enclaves=unsupported
c4.8xlarge arch=x86_64 cpu=36 mib=61440 ghz=2.9 by=Intel hypervisor=xen cards=8 ipv4=30 ena=unsupported ebs=4000 enclaves=unsupported
c4.large arch=x86_64 cpu=2 mib=3840 ghz=2.9 by=Intel hypervisor=xen cards=3 ipv4=10 ena=unsupported ebs=500 enclaves=unsupported
c4.xlarge arch=x86_64 cpu=4 mib=7680 ghz=2.9 by=Intel hypervisor=xen cards=4 ipv4=15 ena=unsupported ebs=750 enclaves=unsupported
c5.12xlarge arch=x86_64 cpu=48 mib=98304 ghz=3.6 by=Intel cards=8 ipv4=30 ebs=9500
c5.18xlarge arch=x86_64 cpu=72 mib=147456 ghz=3.4 by=Intel cards=15 ipv4=50 ebs=19000
c5.24xlarge arch=x86_64 cpu=96 mib=196608 ghz=3.6 by=Intel cards=15 ipv4=50 ebs=19000
c5.2xlarge arch=x86_64 cpu=8 mib=16384 ghz=3.4 by=Intel cards=4 ipv4=15 ebs=4750
c5.4xlarge arch=x86_64 cpu=16 mib=32768 ghz=3.4 by=Intel cards=8 ipv4=30 ebs=4750
c5.9xlarge arch=x86_64 cpu=36 mib=73728 ghz=3.4 by=Intel cards=8 ipv4=30 ebs=9500
c5.large arch=x86_64 cpu=2 mib=4096 ghz=3.4 by=Intel cards=3 ipv4=10 ebs=4750 enclaves=unsupported
c5.metal arch=x86_64 cpu=96 mib=196608 ghz=3.6 by=Intel hypervisor=none metal=yes cards=15 ipv4=50 ebs=19000 enclaves=unsupported
c5.xlarge arch=x86_64 cpu=4 mib=8192 ghz=3.4 by=Intel cards=4 ipv4=15 ebs=4750
c5a.12xlarge arch=x86_64 cpu=48 mib=98304 ghz=3.3 by=AMD cards=8 ipv4=30 encrypts=yes ebs=4750
c5a.16xlarge arch=x86_64 cpu=64 mib=131072 ghz=3.3 by=AMD cards=15 ipv4=50 encrypts=yes ebs=6300
c5a.24xlarge arch=x86_64 cpu=96 mib=196608 ghz=3.3 by=AMD cards=15 ipv4=50 encrypts=yes ebs=9500
c5a.2xlarge arch=x86_64 cpu=8 mib=16384 ghz=3.3 by=AMD cards=4 ipv4=15 encrypts=yes ebs=3170
c5a.4xlarge arch=x86_64 cpu=16 mib=32768 ghz=3.3 by=AMD cards=8 ipv4=30 encrypts=yes ebs=3170
c5a.8xlarge arch=x86_64 cpu=32 mib=65536 ghz=3.3 by=AMD cards=8 ipv4=30 encrypts=yes ebs=3170
c5a.large arch=x86_64 cpu=2 mib=4096 ghz=3.3 by=AMD cards=3 ipv4=10 encrypts=yes ebs=3170 enclaves=unsupported
c5a.xlarge arch=x86_64 cpu=4 mib=8192 ghz=3.3 by=AMD cards=4 ipv4=15 encrypts=yes ebs=3170
c5ad.12xlarge arch=x86_64 cpu=48 mib=98304 ghz=3.3 by=AMD cards=8 ipv4=30 encrypts=yes ebs=4750 store=1800/required
c5ad.16xlarge arch=x86_64 cpu=64 mib=131072 ghz=3.3 by=AMD cards=15 ipv4=50 encrypts=yes ebs=6300 store=2400/required
c5ad.24xlarge arch=x86_64 cpu=96 mib=196608 ghz=3.3 by=AMD cards=15 ipv4=50 encrypts=yes ebs=9500 store=3800/required
c5ad.2xlarge arch=x86_64 cpu=8 mib=16384 ghz=3.3 by=AMD cards=4 ipv4=15 encrypts=yes ebs=3170 store=300/required
c5ad.4xlarge arch=x86_64 cpu=16 mib=32768 ghz=3.3 by=AMD cards=8 ipv4=30 encrypts=yes ebs=3170 store=600/required
c5ad.8xlarge arch=x86_64 cpu=32 mib=65536 ghz=3.3 by=AMD cards=8 ipv4=30 encrypts=yes ebs=3170 store=1200/required
c5ad.large arch=x86_64 cpu=2 mib=4096 ghz=3.3 by=AMD cards=3 ipv4=10 encrypts=yes ebs=3170 store=75/required enclaves=unsupported
c5ad.xlarge arch=x86_64 cpu=4 mib=8192 ghz=3.3 by=AMD cards=4 ipv4=15 encrypts=yes ebs=3170 store=150/required
c5d.12xlarge arch=x86_64 cpu=48 mib=98304 ghz=3.6 by=Intel cards=8 ipv4=30 ebs=9500 store=1800/required
c5d.18xlarge arch=x86_64 cpu=72 mib=147456 ghz=3.4 by=Intel cards=15 ipv4=50 ebs=19000 store=1800/required
c5d.24xlarge arch=x86_64 cpu=96 mib=196608 ghz=3.6 by=Intel cards=15 ipv4=50 ebs=19000 store=3600/required
c5d.2xlarge arch=x86_64 cpu=8 mib=16384 ghz=3.4 by=Intel cards=4 ipv4=15 ebs=4750 store=200/required
c5d.4xlarge arch=x86_64 cpu=16 mib=32768 ghz=3.4 by=Intel cards=8 ipv4=30 ebs=4750 store=400/required
c5d.9xlarge arch=x86_64 cpu=36 mib=73728 ghz=3.4 by=Intel cards=8 ipv4=30 ebs=9500 store=900/required
c5d.large arch=x86_64 cpu=2 mib=4096 ghz=3.4 by=Intel cards=3 ipv4=10 ebs=4750 store=50/required enclaves=unsupported
c5d.metal arch=x86_64 cpu=96 mib=196608 ghz=3.6 by=Intel hypervisor=none metal=yes cards=15 ipv4=50 ebs=19000 store=3600/required enclaves=unsupported
c5d.xlarge arch=x86_64 cpu=4 mib=8192 ghz=3.4 by=Intel cards=4 ipv4=15 ebs=4750 store=100/required
c5n.18xlarge arch=x86_64 cpu=72 mib=196608 ghz=3.4 by=Intel cards=15 ipv4=50 efa=1 encrypts=yes ebs=19000
c5n.2xlarge arch=x86_64 cpu=8 mib=21504 ghz=3.4 by=Intel cards=4 ipv4=15 encrypts=yes ebs=4750
c5n.4xlarge arch=x86_64 cpu=16 mib=43008 ghz=3.4 by=Intel cards=8 ipv4=30 encrypts=yes ebs=4750
c5n.9xlarge arch=x86_64 cpu=36 mib=98304 ghz=3.4 by=Intel cards=8 ipv4=30 efa=1 encrypts=yes ebs=9500
c5n.large arch=x86_64 cpu=2 mib=5376 ghz=3.4 by=Intel cards=3 ipv4=10 encrypts=yes ebs=4750 enclaves=unsupported
c5n.metal arch=x86_64 cpu=72 mib=196608 ghz=3.4 by=Intel hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=19000 enclaves=unsupported
c5n.xlarge arch=x86_64 cpu=4 mib=10752 ghz=3.4 by=Intel cards=4 ipv4=15 encrypts=yes ebs=4750
c6a.12xlarge arch=x86_64 cpu=48 mib=98304 ghz=3.6 by=AMD can=amd-sev-snp cards=8 ipv4=30 encrypts=yes ebs=15000
c6a.16xlarge arch=x86_64 cpu=64 mib=131072 ghz=3.6 by=AMD can=amd-sev-snp cards=15 ipv4=50 encrypts=yes ebs=20000
c6a.24xlarge arch=x86_64 cpu=96 mib=196608 ghz=3.6 by=AMD cards=15 ipv4=50 encrypts=yes ebs=30000
c6a.2xlarge arch=x86_64 cpu=8 mib=16384 ghz=3.6 by=AMD can=amd-sev-snp cards=4 ipv4=15 encrypts=yes ebs=10000
c6a.32xlarge arch=x86_64 cpu=128 mib=262144 ghz=3.6 by=AMD cards=15 ipv4=50 encrypts=yes ebs=40000
c6a.48xlarge arch=x86_64 cpu=192 mib=393216 ghz=3.6 by=AMD cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000
c6a.4xlarge arch=x86_64 cpu=16 mib=32768 ghz=3.6 by=AMD can=amd-sev-snp cards=8 ipv4=30 encrypts=yes ebs=10000
c6a.8xlarge arch=x86_64 cpu=32 mib=65536 ghz=3.6 by=AMD can=amd-sev-snp cards=8 ipv4=30 encrypts=yes ebs=10000
c6a.large arch=x86_64 cpu=2 mib=4096 ghz=3.6 by=AMD can=amd-sev-snp cards=3 ipv4=10 encrypts=yes ebs=10000 enclaves=unsupported
c6a.metal arch=x86_64 cpu=192 mib=393216 ghz=3.6 by=AMD hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000 enclaves=unsupported
c6a.xlarge arch=x86_64 cpu=4 mib=8192 ghz=3.6 by=AMD can=amd-sev-snp cards=4 ipv4=15 encrypts=yes ebs=10000
c6g.12xlarge arch=arm64 cpu=48 mib=98304 ghz=2.5 by=AWS cards=8 ipv4=30 ebs=14250
c6g.16xlarge arch=arm64 cpu=64 mib=131072 ghz=2.5 by=AWS cards=15 ipv4=50 ebs=19000
c6g.2xlarge arch=arm64 cpu=8 mib=16384 ghz=2.5 by=AWS cards=4 ipv4=15 ebs=4750
c6g.4xlarge arch=arm64 cpu=16 mib=32768 ghz=2.5 by=AWS cards=8 ipv4=30 ebs=4750
c6g.8xlarge arch=arm64 cpu=32 mib=65536 ghz=2.5 by=AWS cards=8 ipv4=30 ebs=9500
c6g.large arch=arm64 cpu=2 mib=4096 ghz=2.5 by=AWS cards=3 ipv4=10 ebs=4750
c6g.medium arch=arm64 cpu=1 mib=2048 ghz=2.5 by=AWS cards=2 ipv4=4 ebs=4750 enclaves=unsupported
c6g.metal arch=arm64 cpu=64 mib=131072 ghz=2.5 by=AWS hypervisor=none metal=yes cards=15 ipv4=50 ebs=19000 enclaves=unsupported
c6g.xlarge arch=arm64 cpu=4 mib=8192 ghz=2.5 by=AWS cards=4 ipv4=15 ebs=4750
c6gd.12xlarge arch=arm64 cpu=48 mib=98304 ghz=2.5 by=AWS cards=8 ipv4=30 ebs=14250 store=2850/required
c6gd.16xlarge arch=arm64 cpu=64 mib=131072 ghz=2.5 by=AWS cards=15 ipv4=50 ebs=19000 store=3800/required
c6gd.2xlarge arch=arm64 cpu=8 mib=16384 ghz=2.5 by=AWS cards=4 ipv4=15 ebs=4750 store=474/required
c6gd.4xlarge arch=arm64 cpu=16 mib=32768 ghz=2.5 by=AWS cards=8 ipv4=30 ebs=4750 store=950/required
c6gd.8xlarge arch=arm64 cpu=32 mib=65536 ghz=2.5 by=AWS cards=8 ipv4=30 ebs=9500 store=1900/required
c6gd.large arch=arm64 cpu=2 mib=4096 ghz=2.5 by=AWS cards=3 ipv4=10 ebs=4750 store=118/required
c6gd.medium arch=arm64 cpu=1 mib=2048 ghz=2.5 by=AWS cards=2 ipv4=4 ebs=4750 store=59/required enclaves=unsupported
c6gd.metal arch=arm64 cpu=64 mib=131072 ghz=2.5 by=AWS hypervisor=none metal=yes cards=15 ipv4=50 ebs=19000 store=3800/required enclaves=unsupported
c6gd.xlarge arch=arm64 cpu=4 mib=8192 ghz=2.5 by=AWS cards=4 ipv4=15 ebs=4750 store=237/required
c6gn.12xlarge arch=arm64 cpu=48 mib=98304 ghz=2.5 by=AWS cards=8 ipv4=30 encrypts=yes ebs=28500
c6gn.16xlarge arch=arm64 cpu=64 mib=131072 ghz=2.5 by=AWS cards=15 ipv4=50 efa=1 encrypts=yes ebs=38000
c6gn.2xlarge arch=arm64 cpu=8 mib=16384 ghz=2.5 by=AWS cards=4 ipv4=15 encrypts=yes ebs=9500
c6gn.4xlarge arch=arm64 cpu=16 mib=32768 ghz=2.5 by=AWS cards=8 ipv4=30 encrypts=yes ebs=9500
c6gn.8xlarge arch=arm64 cpu=32 mib=65536 ghz=2.5 by=AWS cards=8 ipv4=30 encrypts=yes ebs=19000
c6gn.large arch=arm64 cpu=2 mib=4096 ghz=2.5 by=AWS cards=3 ipv4=10 encrypts=yes ebs=9500
c6gn.medium arch=arm64 cpu=1 mib=2048 ghz=2.5 by=AWS cards=2 ipv4=4 encrypts=yes ebs=9500 enclaves=unsupported
c6gn.xlarge arch=arm64 cpu=4 mib=8192 ghz=2.5 by=AWS cards=4 ipv4=15 encrypts=yes ebs=9500
c6i.12xlarge arch=x86_64 cpu=48 mib=98304 ghz=3.5 by=Intel cards=8 ipv4=30 encrypts=yes ebs=15000
c6i.16xlarge arch=x86_64 cpu=64 mib=131072 ghz=3.5 by=Intel cards=15 ipv4=50 encrypts=yes ebs=20000
c6i.24xlarge arch=x86_64 cpu=96 mib=196608 ghz=3.5 by=Intel cards=15 ipv4=50 encrypts=yes ebs=30000
c6i.2xlarge arch=x86_64 cpu=8 mib=16384 ghz=3.5 by=Intel cards=4 ipv4=15 encrypts=yes ebs=10000
c6i.32xlarge arch=x86_64 cpu=128 mib=262144 ghz=3.5 by=Intel cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000
c6i.4xlarge arch=x86_64 cpu=16 mib=32768 ghz=3.5 by=Intel cards=8 ipv4=30 encrypts=yes ebs=10000
c6i.8xlarge arch=x86_64 cpu=32 mib=65536 ghz=3.5 by=Intel cards=8 ipv4=30 encrypts=yes ebs=10000
c6i.large arch=x86_64 cpu=2 mib=4096 ghz=3.5 by=Intel cards=3 ipv4=10 encrypts=yes ebs=10000 enclaves=unsupported
c6i.metal arch=x86_64 cpu=128 mib=262144 ghz=3.5 by=Intel hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000 enclaves=unsupported
c6i.xlarge arch=x86_64 cpu=4 mib=8192 ghz=3.5 by=Intel cards=4 ipv4=15 encrypts=yes ebs=10000
c6id.12xlarge arch=x86_64 cpu=48 mib=98304 ghz=3.5 by=Intel cards=8 ipv4=30 encrypts=yes ebs=15000 store=2850/required
c6id.16xlarge arch=x86_64 cpu=64 mib=131072 ghz=3.5 by=Intel cards=15 ipv4=50 encrypts=yes ebs=20000 store=3800/required
c6id.24xlarge arch=x86_64 cpu=96 mib=196608 ghz=3.5 by=Intel cards=15 ipv4=50 encrypts=yes ebs=30000 store=5700/required
c6id.2xlarge arch=x86_64 cpu=8 mib=16384 ghz=3.5 by=Intel cards=4 ipv4=15 encrypts=yes ebs=10000 store=474/required
c6id.32xlarge arch=x86_64 cpu=128 mib=262144 ghz=3.5 by=Intel cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000 store=7600/required
c6id.4xlarge arch=x86_64 cpu=16 mib=32768 ghz=3.5 by=Intel cards=8 ipv4=30 encrypts=yes ebs=10000 store=950/required
c6id.8xlarge arch=x86_64 cpu=32 mib=65536 ghz=3.5 by=Intel cards=8 ipv4=30 encrypts=yes ebs=10000 store=1900/required
c6id.large arch=x86_64 cpu=2 mib=4096 ghz=3.5 by=Intel cards=3 ipv4=10 encrypts=yes ebs=10000 store=118/required enclaves=unsupported
c6id.metal arch=x86_64 cpu=128 mib=262144 ghz=3.5 by=Intel hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000 store=7600/required enclaves=unsupported
c6id.xlarge arch=x86_64 cpu=4 mib=8192 ghz=3.5 by=Intel cards=4 ipv4=15 encrypts=yes ebs=10000 store=237/required
c6in.12xlarge arch=x86_64 cpu=48 mib=98304 ghz=3.5 by=Intel cards=8 ipv4=30 encrypts=yes ebs=37500
c6in.16xlarge arch=x86_64 cpu=64 mib=131072 ghz=3.5 by=Intel cards=15 ipv4=50 encrypts=yes ebs=50000
c6in.24xlarge arch=x86_64 cpu=96 mib=196608 ghz=3.5 by=Intel cards=15 ipv4=50 encrypts=yes ebs=75000
c6in.2xlarge arch=x86_64 cpu=8 mib=16384 ghz=3.5 by=Intel cards=4 ipv4=15 encrypts=yes ebs=25000
c6in.32xlarge arch=x86_64 cpu=128 mib=262144 ghz=3.5 by=Intel cards=8,8 ipv4=50 efa=2 encrypts=yes ebs=100000
c6in.4xlarge arch=x86_64 cpu=16 mib=32768 ghz=3.5 by=Intel cards=8 ipv4=30 encrypts=yes ebs=25000
c6in.8xlarge arch=x86_64 cpu=32 mib=65536 ghz=3.5 by=Intel cards=8 ipv4=30 encrypts=yes ebs=25000
c6in.large arch=x86_64 cpu=2 mib=4096 ghz=3.5 by=Intel cards=3 ipv4=10 encrypts=yes ebs=25000 enclaves=unsupported
c6in.metal arch=x86_64 cpu=128 mib=262144 ghz=3.5 by=Intel hypervisor=none metal=yes cards=8,8 ipv4=50 efa=2 encrypts=yes ebs=100000 enclaves=unsupported
c6in.xlarge arch=x86_64 cpu=4 mib=8192 ghz=3.5 by=Intel cards=4 ipv4=15 encrypts=yes ebs=25000
c7a.12xlarge arch=x86_64 cpu=48 mib=98304 ghz=3.7 by=AMD cards=8 ipv4=30 encrypts=yes ebs=15000
c7a.16xlarge arch=x86_64 cpu=64 mib=131072 ghz=3.7 by=AMD cards=15 ipv4=50 encrypts=yes ebs=20000
c7a.24xlarge arch=x86_64 cpu=96 mib=196608 ghz=3.7 by=AMD cards=15 ipv4=50 encrypts=yes ebs=30000
c7a.2xlarge arch=x86_64 cpu=8 mib=16384 ghz=3.7 by=AMD cards=4 ipv4=15 encrypts=yes ebs=10000
c7a.32xlarge arch=x86_64 cpu=128 mib=262144 ghz=3.7 by=AMD cards=15 ipv4=50 encrypts=yes ebs=40000
c7a.48xlarge arch=x86_64 cpu=192 mib=393216 ghz=3.7 by=AMD cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000
c7a.4xlarge arch=x86_64 cpu=16 mib=32768 ghz=3.7 by=AMD cards=8 ipv4=30 encrypts=yes ebs=10000
c7a.8xlarge arch=x86_64 cpu=32 mib=65536 ghz=3.7 by=AMD cards=8 ipv4=30 encrypts=yes ebs=10000
c7a.large arch=x86_64 cpu=2 mib=4096 ghz=3.7 by=AMD cards=3 ipv4=10 encrypts=yes ebs=10000 enclaves=unsupported
c7a.medium arch=x86_64 cpu=1 mib=2048 ghz=3.7 by=AMD cards=2 ipv4=4 encrypts=yes ebs=10000 enclaves=unsupported
c7a.metal-48xl arch=x86_64 cpu=192 mib=393216 ghz=3.7 by=AMD hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000 enclaves=unsupported
c7a.xlarge arch=x86_64 cpu=4 mib=8192 ghz=3.7 by=AMD cards=4 ipv4=15 encrypts=yes ebs=10000
c7g.12xlarge arch=arm64 cpu=48 mib=98304 ghz=2.6 by=AWS cards=8 ipv4=30 encrypts=yes ebs=15000
c7g.16xlarge arch=arm64 cpu=64 mib=131072 ghz=2.6 by=AWS cards=15 ipv4=50 efa=1 encrypts=yes ebs=20000
c7g.2xlarge arch=arm64 cpu=8 mib=16384 ghz=2.6 by=AWS cards=4 ipv4=15 encrypts=yes ebs=10000
c7g.4xlarge arch=arm64 cpu=16 mib=32768 ghz=2.6 by=AWS cards=8 ipv4=30 encrypts=yes ebs=10000
c7g.8xlarge arch=arm64 cpu=32 mib=65536 ghz=2.6 by=AWS cards=8 ipv4=30 encrypts=yes ebs=10000
c7g.large arch=arm64 cpu=2 mib=4096 ghz=2.6 by=AWS cards=3 ipv4=10 encrypts=yes ebs=10000
c7g.medium arch=arm64 cpu=1 mib=2048 ghz=2.6 by=AWS cards=2 ipv4=4 encrypts=yes ebs=10000 enclaves=unsupported
c7g.metal arch=arm64 cpu=64 mib=131072 ghz=2.6 by=AWS hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=20000 enclaves=unsupported
c7g.xlarge arch=arm64 cpu=4 mib=8192 ghz=2.6 by=AWS cards=4 ipv4=15 encrypts=yes ebs=10000
c7gd.12xlarge arch=arm64 cpu=48 mib=98304 ghz=2.6 by=AWS cards=8 ipv4=30 encrypts=yes ebs=15000 store=2850/required
c7gd.16xlarge arch=arm64 cpu=64 mib=131072 ghz=2.6 by=AWS cards=15 ipv4=50 efa=1 encrypts=yes ebs=20000 store=3800/required
c7gd.2xlarge arch=arm64 cpu=8 mib=16384 ghz=2.6 by=AWS cards=4 ipv4=15 encrypts=yes ebs=10000 store=474/required
c7gd.4xlarge arch=arm64 cpu=16 mib=32768 ghz=2.6 by=AWS cards=8 ipv4=30 encrypts=yes ebs=10000 store=950/required
c7gd.8xlarge arch=arm64 cpu=32 mib=65536 ghz=2.6 by=AWS cards=8 ipv4=30 encrypts=yes ebs=10000 store=1900/required
c7gd.large arch=arm64 cpu=2 mib=4096 ghz=2.6 by=AWS cards=3 ipv4=10 encrypts=yes ebs=10000 store=118/required
c7gd.medium arch=arm64 cpu=1 mib=2048 ghz=2.6 by=AWS cards=2 ipv4=4 encrypts=yes ebs=10000 store=59/required enclaves=unsupported
c7gd.metal arch=arm64 cpu=64 mib=131072 ghz=2.6 by=AWS hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=20000 store=3800/required enclaves=unsupported
c7gd.xlarge arch=arm64 cpu=4 mib=8192 ghz=2.6 by=AWS cards=4 ipv4=15 encrypts=yes ebs=10000 store=237/required
c7gn.12xlarge arch=arm64 cpu=48 mib=98304 ghz=2.6 by=AWS cards=8 ipv4=30 encrypts=yes ebs=30000 enclaves=unsupported
c7gn.16xlarge arch=arm64 cpu=64 mib=131072 ghz=2.6 by=AWS cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000 enclaves=unsupported
c7gn.2xlarge arch=arm64 cpu=8 mib=16384 ghz=2.6 by=AWS cards=4 ipv4=15 encrypts=yes ebs=10000 enclaves=unsupported
c7gn.4xlarge arch=arm64 cpu=16 mib=32768 ghz=2.6 by=AWS cards=8 ipv4=30 encrypts=yes ebs=10000 enclaves=unsupported
c7gn.8xlarge arch=arm64 cpu=32 mib=65536 ghz=2.6 by=AWS cards=8 ipv4=30 encrypts=yes ebs=20000 enclaves=unsupported
c7gn.large arch=arm64 cpu=2 mib=4096 ghz=2.6 by=AWS cards=3 ipv4=10 encrypts=yes ebs=10000 enclaves=unsupported
c7gn.medium arch=arm64 cpu=1 mib=2048 ghz=2.6 by=AWS cards=2 ipv4=4 encrypts=yes ebs=10000 enclaves=unsupported
c7gn.metal arch=arm64 cpu=64 mib=131072 ghz=2.6 by=AWS hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000 enclaves=unsupported
c7gn.xlarge arch=arm64 cpu=4 mib=8192 ghz=2.6 by=AWS cards=4 ipv4=15 encrypts=yes ebs=10000 enclaves=unsupported
c7i-flex.12xlarge arch=x86_64 cpu=48 mib=98304 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=8 ipv4=30 encrypts=yes ebs=15000 group=partition,spread enclaves=unsupported
c7i-flex.16xlarge arch=x86_64 cpu=64 mib=131072 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=15 ipv4=50 encrypts=yes ebs=20000 group=partition,spread enclaves=unsupported
c7i-flex.2xlarge arch=x86_64 cpu=8 mib=16384 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=4 ipv4=15 encrypts=yes ebs=10000 group=partition,spread enclaves=unsupported
c7i-flex.4xlarge arch=x86_64 cpu=16 mib=32768 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=8 ipv4=30 encrypts=yes ebs=10000 group=partition,spread enclaves=unsupported
c7i-flex.8xlarge arch=x86_64 cpu=32 mib=65536 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=8 ipv4=30 encrypts=yes ebs=10000 group=partition,spread enclaves=unsupported
c7i-flex.large arch=x86_64 cpu=2 mib=4096 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=3 ipv4=10 encrypts=yes ebs=10000 group=partition,spread enclaves=unsupported
c7i-flex.xlarge arch=x86_64 cpu=4 mib=8192 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=4 ipv4=15 encrypts=yes ebs=10000 group=partition,spread enclaves=unsupported
c7i.12xlarge arch=x86_64 cpu=48 mib=98304 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=8 ipv4=30 encrypts=yes ebs=15000
c7i.16xlarge arch=x86_64 cpu=64 mib=131072 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=15 ipv4=50 encrypts=yes ebs=20000
c7i.24xlarge arch=x86_64 cpu=96 mib=196608 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=15 ipv4=50 encrypts=yes ebs=30000
c7i.2xlarge arch=x86_64 cpu=8 mib=16384 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=4 ipv4=15 encrypts=yes ebs=10000
c7i.48xlarge arch=x86_64 cpu=192 mib=393216 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000
c7i.4xlarge arch=x86_64 cpu=16 mib=32768 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=8 ipv4=30 encrypts=yes ebs=10000
c7i.8xlarge arch=x86_64 cpu=32 mib=65536 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=8 ipv4=30 encrypts=yes ebs=10000
c7i.large arch=x86_64 cpu=2 mib=4096 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=3 ipv4=10 encrypts=yes ebs=10000 enclaves=unsupported
c7i.metal-24xl arch=x86_64 cpu=96 mib=196608 ghz=3.2 by=Intel hypervisor=none metal=yes cards=15 ipv4=50 encrypts=yes ebs=30000 enclaves=unsupported
c7i.metal-48xl arch=x86_64 cpu=192 mib=393216 ghz=3.2 by=Intel hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000 enclaves=unsupported
c7i.xlarge arch=x86_64 cpu=4 mib=8192 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=4 ipv4=15 encrypts=yes ebs=10000
c8a.12xlarge arch=x86_64 cpu=48 mib=98304 ghz=4.5 by=AMD cards=12 ipv4=64 encrypts=yes ebs=15000
c8a.16xlarge arch=x86_64 cpu=64 mib=131072 ghz=4.5 by=AMD cards=16 ipv4=64 encrypts=yes ebs=20000
c8a.24xlarge arch=x86_64 cpu=96 mib=196608 ghz=4.5 by=AMD cards=16 ipv4=64 encrypts=yes ebs=30000
c8a.2xlarge arch=x86_64 cpu=8 mib=16384 ghz=4.5 by=AMD cards=4 ipv4=40 encrypts=yes ebs=10000
c8a.48xlarge arch=x86_64 cpu=192 mib=393216 ghz=4.5 by=AMD cards=24 ipv4=64 efa=1 encrypts=yes ebs=60000
c8a.4xlarge arch=x86_64 cpu=16 mib=32768 ghz=4.5 by=AMD cards=8 ipv4=40 encrypts=yes ebs=10000
c8a.8xlarge arch=x86_64 cpu=32 mib=65536 ghz=4.5 by=AMD cards=10 ipv4=40 encrypts=yes ebs=10000
c8a.large arch=x86_64 cpu=2 mib=4096 ghz=4.5 by=AMD cards=3 ipv4=20 encrypts=yes ebs=10000
c8a.medium arch=x86_64 cpu=1 mib=2048 ghz=4.5 by=AMD cards=2 ipv4=4 encrypts=yes ebs=10000 enclaves=unsupported
c8a.metal-24xl arch=x86_64 cpu=96 mib=196608 ghz=4.5 by=AMD hypervisor=none metal=yes cards=16 ipv4=64 encrypts=yes ebs=30000 enclaves=unsupported
c8a.metal-48xl arch=x86_64 cpu=192 mib=393216 ghz=4.5 by=AMD hypervisor=none metal=yes cards=24 ipv4=64 efa=1 encrypts=yes ebs=60000 enclaves=unsupported
c8a.xlarge arch=x86_64 cpu=4 mib=8192 ghz=4.5 by=AMD cards=4 ipv4=20 encrypts=yes ebs=10000
c8g.12xlarge arch=arm64 cpu=48 mib=98304 ghz=2.8 by=AWS cards=8 ipv4=30 encrypts=yes ebs=15000
c8g.16xlarge arch=arm64 cpu=64 mib=131072 ghz=2.8 by=AWS cards=15 ipv4=50 encrypts=yes ebs=20000
c8g.24xlarge arch=arm64 cpu=96 mib=196608 ghz=2.8 by=AWS cards=15 ipv4=50 efa=1 encrypts=yes ebs=30000
c8g.2xlarge arch=arm64 cpu=8 mib=16384 ghz=2.8 by=AWS cards=4 ipv4=15 encrypts=yes ebs=10000
c8g.48xlarge arch=arm64 cpu=192 mib=393216 ghz=2.7 by=AWS cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000
c8g.4xlarge arch=arm64 cpu=16 mib=32768 ghz=2.8 by=AWS cards=8 ipv4=30 encrypts=yes ebs=10000
c8g.8xlarge arch=arm64 cpu=32 mib=65536 ghz=2.8 by=AWS cards=8 ipv4=30 encrypts=yes ebs=10000
c8g.large arch=arm64 cpu=2 mib=4096 ghz=2.8 by=AWS cards=3 ipv4=10 encrypts=yes ebs=10000
c8g.medium arch=arm64 cpu=1 mib=2048 ghz=2.8 by=AWS cards=2 ipv4=4 encrypts=yes ebs=10000 enclaves=unsupported
c8g.metal-24xl arch=arm64 cpu=96 mib=196608 ghz=2.8 by=AWS hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=30000 enclaves=unsupported
c8g.metal-48xl arch=arm64 cpu=192 mib=393216 ghz=2.7 by=AWS hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000 enclaves=unsupported
c8g.xlarge arch=arm64 cpu=4 mib=8192 ghz=2.8 by=AWS cards=4 ipv4=15 encrypts=yes ebs=10000
c8gb.12xlarge arch=arm64 cpu=48 mib=98304 ghz=2.8 by=AWS cards=12 ipv4=30 encrypts=yes ebs=75000
c8gb.16xlarge arch=arm64 cpu=64 mib=131072 ghz=2.8 by=AWS cards=16 ipv4=50 efa=1 encrypts=yes ebs=100000
c8gb.24xlarge arch=arm64 cpu=96 mib=196608 ghz=2.8 by=AWS cards=24 ipv4=50 efa=1 encrypts=yes ebs=150000
c8gb.2xlarge arch=arm64 cpu=8 mib=16384 ghz=2.8 by=AWS cards=4 ipv4=15 encrypts=yes ebs=25000
c8gb.48xlarge arch=arm64 cpu=192 mib=393216 ghz=2.7 by=AWS cards=12,12 ipv4=50 efa=2 encrypts=yes ebs=300000
c8gb.4xlarge arch=arm64 cpu=16 mib=32768 ghz=2.8 by=AWS cards=8 ipv4=30 encrypts=yes ebs=25000
c8gb.8xlarge arch=arm64 cpu=32 mib=65536 ghz=2.8 by=AWS cards=10 ipv4=30 encrypts=yes ebs=50000
c8gb.large arch=arm64 cpu=2 mib=4096 ghz=2.8 by=AWS cards=3 ipv4=10 encrypts=yes ebs=25000
c8gb.medium arch=arm64 cpu=1 mib=2048 ghz=2.8 by=AWS cards=2 ipv4=4 encrypts=yes ebs=25000 enclaves=unsupported
c8gb.metal-24xl arch=arm64 cpu=96 mib=196608 ghz=2.8 by=AWS hypervisor=none metal=yes cards=24 ipv4=50 efa=1 encrypts=yes ebs=150000 enclaves=unsupported
c8gb.metal-48xl arch=arm64 cpu=192 mib=393216 ghz=2.7 by=AWS hypervisor=none metal=yes cards=12,12 ipv4=50 efa=2 encrypts=yes ebs=300000 enclaves=unsupported
c8gb.xlarge arch=arm64 cpu=4 mib=8192 ghz=2.8 by=AWS cards=4 ipv4=15 encrypts=yes ebs=25000
c8gd.12xlarge arch=arm64 cpu=48 mib=98304 ghz=2.8 by=AWS cards=8 ipv4=30 encrypts=yes ebs=15000 store=2850/required
c8gd.16xlarge arch=arm64 cpu=64 mib=131072 ghz=2.8 by=AWS cards=15 ipv4=50 encrypts=yes ebs=20000 store=3800/required
c8gd.24xlarge arch=arm64 cpu=96 mib=196608 ghz=2.8 by=AWS cards=15 ipv4=50 efa=1 encrypts=yes ebs=30000 store=5700/required
c8gd.2xlarge arch=arm64 cpu=8 mib=16384 ghz=2.8 by=AWS cards=4 ipv4=15 encrypts=yes ebs=10000 store=474/required
c8gd.48xlarge arch=arm64 cpu=192 mib=393216 ghz=2.7 by=AWS cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000 store=11400/required
c8gd.4xlarge arch=arm64 cpu=16 mib=32768 ghz=2.8 by=AWS cards=8 ipv4=30 encrypts=yes ebs=10000 store=950/required
c8gd.8xlarge arch=arm64 cpu=32 mib=65536 ghz=2.8 by=AWS cards=8 ipv4=30 encrypts=yes ebs=10000 store=1900/required
c8gd.large arch=arm64 cpu=2 mib=4096 ghz=2.8 by=AWS cards=3 ipv4=10 encrypts=yes ebs=10000 store=118/required
c8gd.medium arch=arm64 cpu=1 mib=2048 ghz=2.8 by=AWS cards=2 ipv4=4 encrypts=yes ebs=10000 store=59/required enclaves=unsupported
c8gd.metal-24xl arch=arm64 cpu=96 mib=196608 ghz=2.8 by=AWS hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=30000 store=5700/required enclaves=unsupported
c8gd.metal-48xl arch=arm64 cpu=192 mib=393216 ghz=2.7 by=AWS hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000 store=11400/required enclaves=unsupported
c8gd.xlarge arch=arm64 cpu=4 mib=8192 ghz=2.8 by=AWS cards=4 ipv4=15 encrypts=yes ebs=10000 store=237/required
c8gn.12xlarge arch=arm64 cpu=48 mib=98304 ghz=2.8 by=AWS cards=12 ipv4=30 encrypts=yes ebs=30000
c8gn.16xlarge arch=arm64 cpu=64 mib=131072 ghz=2.8 by=AWS cards=16 ipv4=50 efa=1 encrypts=yes ebs=40000
c8gn.24xlarge arch=arm64 cpu=96 mib=196608 ghz=2.8 by=AWS cards=24 ipv4=50 efa=1 encrypts=yes ebs=60000
c8gn.2xlarge arch=arm64 cpu=8 mib=16384 ghz=2.8 by=AWS cards=4 ipv4=15 encrypts=yes ebs=10000
c8gn.48xlarge arch=arm64 cpu=192 mib=393216 ghz=2.7 by=AWS cards=12,12 ipv4=50 efa=2 encrypts=yes ebs=120000
c8gn.4xlarge arch=arm64 cpu=16 mib=32768 ghz=2.8 by=AWS cards=8 ipv4=30 encrypts=yes ebs=10000
c8gn.8xlarge arch=arm64 cpu=32 mib=65536 ghz=2.8 by=AWS cards=10 ipv4=30 encrypts=yes ebs=20000
c8gn.large arch=arm64 cpu=2 mib=4096 ghz=2.8 by=AWS cards=3 ipv4=10 encrypts=yes ebs=10000
c8gn.medium arch=arm64 cpu=1 mib=2048 ghz=2.8 by=AWS cards=2 ipv4=4 encrypts=yes ebs=10000 enclaves=unsupported
c8gn.metal-24xl arch=arm64 cpu=96 mib=196608 ghz=2.8 by=AWS hypervisor=none metal=yes cards=24 ipv4=50 efa=1 encrypts=yes ebs=60000 enclaves=unsupported
c8gn.metal-48xl arch=arm64 cpu=192 mib=393216 ghz=2.7 by=AWS hypervisor=none metal=yes cards=12,12 ipv4=50 efa=2 encrypts=yes ebs=120000 enclaves=unsupported
c8gn.xlarge arch=arm64 cpu=4 mib=8192 ghz=2.8 by=AWS cards=4 ipv4=15 encrypts=yes ebs=10000
c8i-flex.12xlarge arch=x86_64 cpu=48 mib=98304 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=12 ipv4=50 encrypts=yes ebs=15000 group=partition,spread enclaves=unsupported
c8i-flex.16xlarge arch=x86_64 cpu=64 mib=131072 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=16 ipv4=64 encrypts=yes ebs=20000 group=partition,spread enclaves=unsupported
c8i-flex.2xlarge arch=x86_64 cpu=8 mib=16384 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=4 ipv4=30 encrypts=yes ebs=10000 group=partition,spread enclaves=unsupported
c8i-flex.4xlarge arch=x86_64 cpu=16 mib=32768 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=8 ipv4=50 encrypts=yes ebs=10000 group=partition,spread enclaves=unsupported
c8i-flex.8xlarge arch=x86_64 cpu=32 mib=65536 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=10 ipv4=50 encrypts=yes ebs=10000 group=partition,spread enclaves=unsupported
c8i-flex.large arch=x86_64 cpu=2 mib=4096 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=3 ipv4=20 encrypts=yes ebs=10000 group=partition,spread enclaves=unsupported
c8i-flex.xlarge arch=x86_64 cpu=4 mib=8192 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=4 ipv4=30 encrypts=yes ebs=10000 group=partition,spread enclaves=unsupported
c8i.12xlarge arch=x86_64 cpu=48 mib=98304 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=12 ipv4=50 encrypts=yes ebs=15000
c8i.16xlarge arch=x86_64 cpu=64 mib=131072 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=16 ipv4=64 encrypts=yes ebs=20000
c8i.24xlarge arch=x86_64 cpu=96 mib=196608 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=16 ipv4=64 encrypts=yes ebs=30000
c8i.2xlarge arch=x86_64 cpu=8 mib=16384 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=4 ipv4=30 encrypts=yes ebs=10000
c8i.32xlarge arch=x86_64 cpu=128 mib=262144 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=24 ipv4=64 encrypts=yes ebs=40000
c8i.48xlarge arch=x86_64 cpu=192 mib=393216 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=24 ipv4=64 efa=1 encrypts=yes ebs=60000
c8i.4xlarge arch=x86_64 cpu=16 mib=32768 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=8 ipv4=50 encrypts=yes ebs=10000
c8i.8xlarge arch=x86_64 cpu=32 mib=65536 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=10 ipv4=50 encrypts=yes ebs=10000
c8i.96xlarge arch=x86_64 cpu=384 mib=786432 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=24 ipv4=64 efa=1 encrypts=yes ebs=80000
c8i.large arch=x86_64 cpu=2 mib=4096 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=3 ipv4=20 encrypts=yes ebs=10000 enclaves=unsupported
c8i.metal-48xl arch=x86_64 cpu=192 mib=393216 ghz=3.9 by=Intel hypervisor=none metal=yes cards=24 ipv4=64 efa=1 encrypts=yes ebs=60000 enclaves=unsupported
c8i.metal-96xl arch=x86_64 cpu=384 mib=786432 ghz=3.9 by=Intel hypervisor=none metal=yes cards=24 ipv4=64 efa=1 encrypts=yes ebs=80000 enclaves=unsupported
c8i.xlarge arch=x86_64 cpu=4 mib=8192 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=4 ipv4=30 encrypts=yes ebs=10000
c8ib.12xlarge arch=x86_64 cpu=48 mib=98304 ghz=3.9 by=Intel cards=12 ipv4=50 encrypts=yes ebs=37500
c8ib.16xlarge arch=x86_64 cpu=64 mib=131072 ghz=3.9 by=Intel cards=16 ipv4=64 encrypts=yes ebs=50000
c8ib.24xlarge arch=x86_64 cpu=96 mib=196608 ghz=3.9 by=Intel cards=16 ipv4=64 encrypts=yes ebs=75000
c8ib.2xlarge arch=x86_64 cpu=8 mib=16384 ghz=3.9 by=Intel cards=4 ipv4=30 encrypts=yes ebs=25000
c8ib.32xlarge arch=x86_64 cpu=128 mib=262144 ghz=3.9 by=Intel cards=16 ipv4=64 encrypts=yes ebs=100000
c8ib.48xlarge arch=x86_64 cpu=192 mib=393216 ghz=3.9 by=Intel cards=24 ipv4=64 efa=1 encrypts=yes ebs=150000
c8ib.4xlarge arch=x86_64 cpu=16 mib=32768 ghz=3.9 by=Intel cards=8 ipv4=50 encrypts=yes ebs=25000
c8ib.8xlarge arch=x86_64 cpu=32 mib=65536 ghz=3.9 by=Intel cards=8 ipv4=50 encrypts=yes ebs=25000
c8ib.96xlarge arch=x86_64 cpu=384 mib=786432 ghz=3.9 by=Intel cards=12,12 ipv4=64 efa=2 encrypts=yes ebs=300000
c8ib.large arch=x86_64 cpu=2 mib=4096 ghz=3.9 by=Intel cards=4 ipv4=20 encrypts=yes ebs=25000 enclaves=unsupported
c8ib.metal-48xl arch=x86_64 cpu=192 mib=393216 ghz=3.9 by=Intel hypervisor=none metal=yes cards=24 ipv4=64 efa=1 encrypts=yes ebs=150000 enclaves=unsupported
c8ib.metal-96xl arch=x86_64 cpu=384 mib=786432 ghz=3.9 by=Intel hypervisor=none metal=yes cards=12,12 ipv4=64 efa=2 encrypts=yes ebs=300000 enclaves=unsupported
c8ib.xlarge arch=x86_64 cpu=4 mib=8192 ghz=3.9 by=Intel cards=4 ipv4=30 encrypts=yes ebs=25000
c8id.12xlarge arch=x86_64 cpu=48 mib=98304 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=12 ipv4=50 encrypts=yes ebs=15000 store=2850/required
c8id.16xlarge arch=x86_64 cpu=64 mib=131072 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=16 ipv4=64 encrypts=yes ebs=20000 store=3800/required
c8id.24xlarge arch=x86_64 cpu=96 mib=196608 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=16 ipv4=64 encrypts=yes ebs=30000 store=5700/required
c8id.2xlarge arch=x86_64 cpu=8 mib=16384 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=4 ipv4=30 encrypts=yes ebs=10000 store=474/required
c8id.32xlarge arch=x86_64 cpu=128 mib=262144 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=24 ipv4=64 encrypts=yes ebs=40000 store=7600/required
c8id.48xlarge arch=x86_64 cpu=192 mib=393216 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=24 ipv4=64 efa=1 encrypts=yes ebs=60000 store=11400/required
c8id.4xlarge arch=x86_64 cpu=16 mib=32768 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=8 ipv4=50 encrypts=yes ebs=10000 store=950/required
c8id.8xlarge arch=x86_64 cpu=32 mib=65536 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=10 ipv4=50 encrypts=yes ebs=10000 store=1900/required
c8id.96xlarge arch=x86_64 cpu=384 mib=786432 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=24 ipv4=64 efa=1 encrypts=yes ebs=80000 store=22800/required
c8id.large arch=x86_64 cpu=2 mib=4096 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=3 ipv4=20 encrypts=yes ebs=10000 store=118/required enclaves=unsupported
c8id.metal-48xl arch=x86_64 cpu=192 mib=393216 ghz=3.9 by=Intel hypervisor=none metal=yes cards=24 ipv4=64 efa=1 encrypts=yes ebs=60000 store=11400/required enclaves=unsupported
c8id.metal-96xl arch=x86_64 cpu=384 mib=786432 ghz=3.9 by=Intel hypervisor=none metal=yes cards=24 ipv4=64 efa=1 encrypts=yes ebs=80000 store=22800/required enclaves=unsupported
c8id.xlarge arch=x86_64 cpu=4 mib=8192 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=4 ipv4=30 encrypts=yes ebs=10000 store=237/required
c8in.12xlarge arch=x86_64 cpu=48 mib=98304 ghz=3.9 by=Intel cards=12 ipv4=50 encrypts=yes ebs=15000
c8in.16xlarge arch=x86_64 cpu=64 mib=131072 ghz=3.9 by=Intel cards=16 ipv4=64 encrypts=yes ebs=20000
c8in.24xlarge arch=x86_64 cpu=96 mib=196608 ghz=3.9 by=Intel cards=16 ipv4=64 encrypts=yes ebs=30000
c8in.2xlarge arch=x86_64 cpu=8 mib=16384 ghz=3.9 by=Intel cards=4 ipv4=30 encrypts=yes ebs=10000
c8in.32xlarge arch=x86_64 cpu=128 mib=262144 ghz=3.9 by=Intel cards=16 ipv4=64 encrypts=yes ebs=40000
c8in.48xlarge arch=x86_64 cpu=192 mib=393216 ghz=3.9 by=Intel cards=24 ipv4=64 efa=1 encrypts=yes ebs=60000
c8in.4xlarge arch=x86_64 cpu=16 mib=32768 ghz=3.9 by=Intel cards=8 ipv4=50 encrypts=yes ebs=10000
c8in.8xlarge arch=x86_64 cpu=32 mib=65536 ghz=3.9 by=Intel cards=8 ipv4=50 encrypts=yes ebs=10000
c8in.96xlarge arch=x86_64 cpu=384 mib=786432 ghz=3.9 by=Intel cards=12,12 ipv4=64 efa=2 encrypts=yes ebs=120000
c8in.large arch=x86_64 cpu=2 mib=4096 ghz=3.9 by=Intel cards=4 ipv4=20 encrypts=yes ebs=10000 enclaves=unsupported
c8in.metal-48xl arch=x86_64 cpu=192 mib=393216 ghz=3.9 by=Intel hypervisor=none metal=yes cards=24 ipv4=64 efa=1 encrypts=yes ebs=60000 enclaves=unsupported
c8in.metal-96xl arch=x86_64 cpu=384 mib=786432 ghz=3.9 by=Intel hypervisor=none metal=yes cards=12,12 ipv4=64 efa=2 encrypts=yes ebs=120000 enclaves=unsupported
c8in.xlarge arch=x86_64 cpu=4 mib=8192 ghz=3.9 by=Intel cards=4 ipv4=30 encrypts=yes ebs=10000
c8ine.12xlarge arch=x86_64 cpu=48 mib=98304 ghz=3.9 by=Intel cards=12 ipv4=50 encrypts=yes ebs=15000
c8ine.2xlarge arch=x86_64 cpu=8 mib=16384 ghz=3.9 by=Intel cards=4 ipv4=30 encrypts=yes ebs=10000
c8ine.4xlarge arch=x86_64 cpu=16 mib=32768 ghz=3.9 by=Intel cards=8 ipv4=50 encrypts=yes ebs=10000
c8ine.8xlarge arch=x86_64 cpu=32 mib=65536 ghz=3.9 by=Intel cards=8 ipv4=50 encrypts=yes ebs=10000
c8ine.large arch=x86_64 cpu=2 mib=4096 ghz=3.9 by=Intel cards=4 ipv4=20 encrypts=yes ebs=10000 enclaves=unsupported
c8ine.xlarge arch=x86_64 cpu=4 mib=8192 ghz=3.9 by=Intel cards=4 ipv4=30 encrypts=yes ebs=10000
c9g.12xlarge arch=arm64 cpu=48 mib=98304 ghz=3.3 by=AWS cards=12 ipv4=50 encrypts=yes ebs=18000
c9g.16xlarge arch=arm64 cpu=64 mib=131072 ghz=3.3 by=AWS cards=16 ipv4=64 encrypts=yes ebs=24000
c9g.24xlarge arch=arm64 cpu=96 mib=196608 ghz=3.3 by=AWS cards=24 ipv4=64 encrypts=yes ebs=36000
c9g.2xlarge arch=arm64 cpu=8 mib=16384 ghz=3.3 by=AWS cards=4 ipv4=30 encrypts=yes ebs=12000
c9g.48xlarge arch=arm64 cpu=192 mib=393216 ghz=3.3 by=AWS cards=24 ipv4=64 efa=1 encrypts=yes ebs=72000
c9g.4xlarge arch=arm64 cpu=16 mib=32768 ghz=3.3 by=AWS cards=8 ipv4=50 encrypts=yes ebs=12000
c9g.8xlarge arch=arm64 cpu=32 mib=65536 ghz=3.3 by=AWS cards=10 ipv4=50 encrypts=yes ebs=12000
c9g.large arch=arm64 cpu=2 mib=4096 ghz=3.3 by=AWS cards=3 ipv4=20 encrypts=yes ebs=12000
c9g.medium arch=arm64 cpu=1 mib=2048 ghz=3.3 by=AWS cards=2 ipv4=20 encrypts=yes ebs=12000 enclaves=unsupported
c9g.metal-48xl arch=arm64 cpu=192 mib=393216 ghz=3.3 by=AWS hypervisor=none metal=yes cards=24 ipv4=64 efa=1 encrypts=yes ebs=72000 enclaves=unsupported
c9g.xlarge arch=arm64 cpu=4 mib=8192 ghz=3.3 by=AWS cards=4 ipv4=30 encrypts=yes ebs=12000
c9gd.12xlarge arch=arm64 cpu=48 mib=98304 ghz=3.3 by=AWS cards=12 ipv4=50 encrypts=yes ebs=18000 store=2850/required
c9gd.16xlarge arch=arm64 cpu=64 mib=131072 ghz=3.3 by=AWS cards=16 ipv4=64 encrypts=yes ebs=24000 store=3800/required
c9gd.24xlarge arch=arm64 cpu=96 mib=196608 ghz=3.3 by=AWS cards=24 ipv4=64 encrypts=yes ebs=36000 store=5700/required
c9gd.2xlarge arch=arm64 cpu=8 mib=16384 ghz=3.3 by=AWS cards=4 ipv4=30 encrypts=yes ebs=12000 store=474/required
c9gd.48xlarge arch=arm64 cpu=192 mib=393216 ghz=3.3 by=AWS cards=24 ipv4=64 efa=1 encrypts=yes ebs=72000 store=11400/required
c9gd.4xlarge arch=arm64 cpu=16 mib=32768 ghz=3.3 by=AWS cards=8 ipv4=50 encrypts=yes ebs=12000 store=950/required
c9gd.8xlarge arch=arm64 cpu=32 mib=65536 ghz=3.3 by=AWS cards=10 ipv4=50 encrypts=yes ebs=12000 store=1900/required
c9gd.large arch=arm64 cpu=2 mib=4096 ghz=3.3 by=AWS cards=3 ipv4=20 encrypts=yes ebs=12000 store=118/required
c9gd.medium arch=arm64 cpu=1 mib=2048 ghz=3.3 by=AWS cards=2 ipv4=20 encrypts=yes ebs=12000 store=59/required enclaves=unsupported
c9gd.metal-48xl arch=arm64 cpu=192 mib=393216 ghz=3.3 by=AWS hypervisor=none metal=yes cards=24 ipv4=64 efa=1 encrypts=yes ebs=72000 store=11400/required enclaves=unsupported
c9gd.xlarge arch=arm64 cpu=4 mib=8192 ghz=3.3 by=AWS cards=4 ipv4=30 encrypts=yes ebs=12000 store=237/required
d2.2xlarge arch=x86_64 cpu=8 mib=62464 ghz=2.4 by=Intel hypervisor=xen cards=4 ipv4=15 ena=unsupported ebs=1000 store=12288/unsupported enclaves=unsupported
d2.4xlarge arch=x86_64 cpu=16 mib=124928 ghz=2.4 by=Intel hypervisor=xen cards=8 ipv4=30 ena=unsupported ebs=2000 store=24576/unsupported enclaves=unsupported
d2.8xlarge arch=x86_64 cpu=36 mib=249856 ghz=2.4 by=Intel hypervisor=xen cards=8 ipv4=30 ena=unsupported ebs=4000 store=49152/unsupported enclaves=unsupported
d2.xlarge arch=x86_64 cpu=4 mib=31232 ghz=2.4 by=Intel hypervisor=xen cards=4 ipv4=15 ena=unsupported ebs=750 store=6144/unsupported enclaves=unsupported
d3.2xlarge arch=x86_64 cpu=8 mib=65536 ghz=3.1 by=Intel cards=4 ipv4=5 encrypts=yes ebs=2800 store=11880/required
d3.4xlarge arch=x86_64 cpu=16 mib=131072 ghz=3.1 by=Intel cards=4 ipv4=10 encrypts=yes ebs=2800 store=23760/required
d3.8xlarge arch=x86_64 cpu=32 mib=262144 ghz=3.1 by=Intel cards=3 ipv4=20 encrypts=yes ebs=5000 store=47520/required
d3.xlarge arch=x86_64 cpu=4 mib=32768 ghz=3.1 by=Intel cards=4 ipv4=3 encrypts=yes ebs=2800 store=5940/required
d3en.12xlarge arch=x86_64 cpu=48 mib=196608 ghz=3.1 by=Intel cards=3 ipv4=30 encrypts=yes ebs=7000 store=335520/required
d3en.2xlarge arch=x86_64 cpu=8 mib=32768 ghz=3.1 by=Intel cards=4 ipv4=5 encrypts=yes ebs=2800 store=55920/required
d3en.4xlarge arch=x86_64 cpu=16 mib=65536 ghz=3.1 by=Intel cards=4 ipv4=10 encrypts=yes ebs=2800 store=111840/required
d3en.6xlarge arch=x86_64 cpu=24 mib=98304 ghz=3.1 by=Intel cards=4 ipv4=15 encrypts=yes ebs=4000 store=167760/required
d3en.8xlarge arch=x86_64 cpu=32 mib=131072 ghz=3.1 by=Intel cards=4 ipv4=20 encrypts=yes ebs=5000 store=223680/required
d3en.xlarge arch=x86_64 cpu=4 mib=16384 ghz=3.1 by=Intel cards=4 ipv4=3 encrypts=yes ebs=2800 store=27960/required
dl2q.24xlarge arch=x86_64 cpu=96 mib=786432 ghz=2.5 by=Intel cards=15 ipv4=50 efa=1 encrypts=yes ebs=19000 accelerator=Qualcomm/Qualcomm_AI100/8
f2.12xlarge arch=x86_64 cpu=48 mib=524288 ghz=3.4 by=AMD cards=8 ipv4=30 encrypts=yes ebs=15000 store=1880/required
f2.48xlarge arch=x86_64 cpu=192 mib=2097152 ghz=3.4 by=AMD cards=15 ipv4=50 efa=1 encrypts=yes ebs=60000 store=7520/required
f2.6xlarge arch=x86_64 cpu=24 mib=262144 ghz=3.4 by=AMD cards=8 ipv4=30 encrypts=yes ebs=7500 store=940/required
g4dn.12xlarge arch=x86_64 cpu=48 mib=196608 ghz=2.5 by=Intel cards=8 ipv4=30 efa=1 encrypts=yes ebs=9500 store=900/required gpu=NVIDIA/T4/4/16384
g4dn.16xlarge arch=x86_64 cpu=64 mib=262144 ghz=2.5 by=Intel cards=4 ipv4=15 efa=1 encrypts=yes ebs=9500 store=900/required gpu=NVIDIA/T4/1/16384
g4dn.2xlarge arch=x86_64 cpu=8 mib=32768 ghz=2.5 by=Intel cards=3 ipv4=10 encrypts=yes ebs=3500 store=225/required gpu=NVIDIA/T4/1/16384
g4dn.4xlarge arch=x86_64 cpu=16 mib=65536 ghz=2.5 by=Intel cards=3 ipv4=10 encrypts=yes ebs=4750 store=225/required gpu=NVIDIA/T4/1/16384
g4dn.8xlarge arch=x86_64 cpu=32 mib=131072 ghz=2.5 by=Intel cards=4 ipv4=15 efa=1 encrypts=yes ebs=9500 store=900/required gpu=NVIDIA/T4/1/16384
g4dn.metal arch=x86_64 cpu=96 mib=393216 ghz=2.5 by=Intel hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=19000 store=1800/required gpu=NVIDIA/T4/8/16384 enclaves=unsupported
g4dn.xlarge arch=x86_64 cpu=4 mib=16384 ghz=2.5 by=Intel cards=3 ipv4=10 encrypts=yes ebs=3500 store=125/required gpu=NVIDIA/T4/1/16384
g5.12xlarge arch=x86_64 cpu=48 mib=196608 ghz=3.3 by=AMD cards=15 ipv4=50 efa=1 encrypts=yes ebs=16000 store=3800/required gpu=NVIDIA/A10G/4/22888
g5.16xlarge arch=x86_64 cpu=64 mib=262144 ghz=3.3 by=AMD cards=8 ipv4=30 efa=1 encrypts=yes ebs=16000 store=1900/required gpu=NVIDIA/A10G/1/22888
g5.24xlarge arch=x86_64 cpu=96 mib=393216 ghz=3.3 by=AMD cards=15 ipv4=50 efa=1 encrypts=yes ebs=19000 store=3800/required gpu=NVIDIA/A10G/4/22888
g5.2xlarge arch=x86_64 cpu=8 mib=32768 ghz=3.3 by=AMD cards=4 ipv4=15 encrypts=yes ebs=3500 store=450/required gpu=NVIDIA/A10G/1/22888
g5.48xlarge arch=x86_64 cpu=192 mib=786432 ghz=3.3 by=AMD cards=7 ipv4=50 efa=1 encrypts=yes ebs=19000 store=7600/required gpu=NVIDIA/A10G/8/22888
g5.4xlarge arch=x86_64 cpu=16 mib=65536 ghz=3.3 by=AMD cards=8 ipv4=30 encrypts=yes ebs=4750 store=600/required gpu=NVIDIA/A10G/1/22888
g5.8xlarge arch=x86_64 cpu=32 mib=131072 ghz=3.3 by=AMD cards=8 ipv4=30 efa=1 encrypts=yes ebs=16000 store=900/required gpu=NVIDIA/A10G/1/22888
g5.xlarge arch=x86_64 cpu=4 mib=16384 ghz=3.3 by=AMD cards=4 ipv4=15 encrypts=yes ebs=3500 store=250/required gpu=NVIDIA/A10G/1/22888
g5g.16xlarge arch=arm64 cpu=64 mib=131072 ghz=2.5 by=AWS cards=15 ipv4=50 ebs=19000 gpu=NVIDIA/T4g/2/16384 enclaves=unsupported
g5g.2xlarge arch=arm64 cpu=8 mib=16384 ghz=2.5 by=AWS cards=4 ipv4=15 ebs=4750 gpu=NVIDIA/T4g/1/16384 enclaves=unsupported
g5g.4xlarge arch=arm64 cpu=16 mib=32768 ghz=2.5 by=AWS cards=8 ipv4=30 ebs=4750 gpu=NVIDIA/T4g/1/16384 enclaves=unsupported
g5g.8xlarge arch=arm64 cpu=32 mib=65536 ghz=2.5 by=AWS cards=8 ipv4=30 ebs=9500 gpu=NVIDIA/T4g/1/16384 enclaves=unsupported
g5g.metal arch=arm64 cpu=64 mib=131072 ghz=2.5 by=AWS hypervisor=none metal=yes cards=15 ipv4=50 ebs=19000 gpu=NVIDIA/T4g/2/16384 enclaves=unsupported
g5g.xlarge arch=arm64 cpu=4 mib=8192 ghz=2.5 by=AWS cards=4 ipv4=15 ebs=4750 gpu=NVIDIA/T4g/1/16384 enclaves=unsupported
g6.12xlarge arch=x86_64 cpu=48 mib=196608 ghz=3.4 by=AMD cards=8 ipv4=30 efa=1 encrypts=yes ebs=20000 store=3760/required gpu=NVIDIA/L4/4/22888
g6.16xlarge arch=x86_64 cpu=64 mib=262144 ghz=3.4 by=AMD cards=15 ipv4=50 efa=1 encrypts=yes ebs=20000 store=1880/required gpu=NVIDIA/L4/1/22888
g6.24xlarge arch=x86_64 cpu=96 mib=393216 ghz=3.4 by=AMD cards=15 ipv4=50 efa=1 encrypts=yes ebs=30000 store=3760/required gpu=NVIDIA/L4/4/22888
g6.2xlarge arch=x86_64 cpu=8 mib=32768 ghz=3.4 by=AMD cards=4 ipv4=15 encrypts=yes ebs=5000 store=450/required gpu=NVIDIA/L4/1/22888
g6.48xlarge arch=x86_64 cpu=192 mib=786432 ghz=3.4 by=AMD cards=15 ipv4=50 efa=1 encrypts=yes ebs=60000 store=7520/required gpu=NVIDIA/L4/8/22888
g6.4xlarge arch=x86_64 cpu=16 mib=65536 ghz=3.4 by=AMD cards=8 ipv4=30 encrypts=yes ebs=8000 store=600/required gpu=NVIDIA/L4/1/22888
g6.8xlarge arch=x86_64 cpu=32 mib=131072 ghz=3.4 by=AMD cards=8 ipv4=30 efa=1 encrypts=yes ebs=16000 store=900/required gpu=NVIDIA/L4/1/22888
g6.xlarge arch=x86_64 cpu=4 mib=16384 ghz=3.4 by=AMD cards=4 ipv4=15 encrypts=yes ebs=5000 store=250/required gpu=NVIDIA/L4/1/22888
g6e.12xlarge arch=x86_64 cpu=48 mib=393216 ghz=3.4 by=AMD cards=10 ipv4=30 efa=1 encrypts=yes ebs=20000 store=3800/required gpu=NVIDIA/L40S/4/45776
g6e.16xlarge arch=x86_64 cpu=64 mib=524288 ghz=3.4 by=AMD cards=15 ipv4=50 efa=1 encrypts=yes ebs=20000 store=1900/required gpu=NVIDIA/L40S/1/45776
g6e.24xlarge arch=x86_64 cpu=96 mib=786432 ghz=3.4 by=AMD cards=10,10 ipv4=50 efa=2 encrypts=yes ebs=30000 store=3800/required gpu=NVIDIA/L40S/4/45776
g6e.2xlarge arch=x86_64 cpu=8 mib=65536 ghz=3.4 by=AMD cards=4 ipv4=15 encrypts=yes ebs=5000 store=450/required gpu=NVIDIA/L40S/1/45776
g6e.48xlarge arch=x86_64 cpu=192 mib=1572864 ghz=3.4 by=AMD cards=10,10,10,10 ipv4=50 efa=4 encrypts=yes ebs=60000 store=7600/required gpu=NVIDIA/L40S/8/45776
g6e.4xlarge arch=x86_64 cpu=16 mib=131072 ghz=3.4 by=AMD cards=8 ipv4=30 encrypts=yes ebs=8000 store=600/required gpu=NVIDIA/L40S/1/45776
g6e.8xlarge arch=x86_64 cpu=32 mib=262144 ghz=3.4 by=AMD cards=8 ipv4=30 efa=1 encrypts=yes ebs=16000 store=900/required gpu=NVIDIA/L40S/1/45776
g6e.xlarge arch=x86_64 cpu=4 mib=32768 ghz=3.4 by=AMD cards=4 ipv4=15 encrypts=yes ebs=5000 store=250/required gpu=NVIDIA/L40S/1/45776
g6f.2xlarge arch=x86_64 cpu=8 mib=32768 ghz=3.4 by=AMD cards=4 ipv4=15 encrypts=yes ebs=5000 store=200/required gpu=NVIDIA/L4/0/5722
g6f.4xlarge arch=x86_64 cpu=16 mib=65536 ghz=3.4 by=AMD cards=8 ipv4=30 encrypts=yes ebs=6000 store=450/required gpu=NVIDIA/L4/0/11444
g6f.large arch=x86_64 cpu=2 mib=8192 ghz=3.4 by=AMD cards=2 ipv4=10 encrypts=yes ebs=5000 store=100/required gpu=NVIDIA/L4/0/2861 enclaves=unsupported
g6f.xlarge arch=x86_64 cpu=4 mib=16384 ghz=3.4 by=AMD cards=4 ipv4=15 encrypts=yes ebs=5000 store=100/required gpu=NVIDIA/L4/0/2861
g7.12xlarge arch=x86_64 cpu=48 mib=196608 ghz=3.9 by=Intel cards=12 ipv4=64 efa=1 encrypts=yes ebs=20000 store=1900/required gpu=NVIDIA/RTX_PRO_4500/2/32768
g7.24xlarge arch=x86_64 cpu=96 mib=393216 ghz=3.9 by=Intel cards=24 ipv4=64 efa=1 encrypts=yes ebs=40000 store=3800/required gpu=NVIDIA/RTX_PRO_4500/4/32768
g7.2xlarge arch=x86_64 cpu=8 mib=32768 ghz=3.9 by=Intel cards=4 ipv4=64 encrypts=yes ebs=8000 store=440/required gpu=NVIDIA/RTX_PRO_4500/1/32768
g7.48xlarge arch=x86_64 cpu=192 mib=786432 ghz=3.9 by=Intel cards=12,12 ipv4=64 efa=2 encrypts=yes ebs=80000 store=7600/required gpu=NVIDIA/RTX_PRO_4500/8/32768
g7.4xlarge arch=x86_64 cpu=16 mib=65536 ghz=3.9 by=Intel cards=8 ipv4=64 encrypts=yes ebs=8000 store=875/required gpu=NVIDIA/RTX_PRO_4500/1/32768
g7.8xlarge arch=x86_64 cpu=32 mib=131072 ghz=3.9 by=Intel cards=10 ipv4=64 efa=1 encrypts=yes ebs=16000 store=930/required gpu=NVIDIA/RTX_PRO_4500/1/32768
g7e.12xlarge arch=x86_64 cpu=48 mib=524288 ghz=2.4 by=Intel cards=10 ipv4=64 efa=1 encrypts=yes ebs=25000 store=3800/required gpu=NVIDIA/RTX_PRO_Server_6000/2/98304
g7e.24xlarge arch=x86_64 cpu=96 mib=1048576 ghz=2.4 by=Intel cards=10,10 ipv4=64 efa=2 encrypts=yes ebs=50000 store=7600/required gpu=NVIDIA/RTX_PRO_Server_6000/4/98304
g7e.2xlarge arch=x86_64 cpu=8 mib=65536 ghz=2.4 by=Intel cards=4 ipv4=64 encrypts=yes ebs=5000 store=1900/required gpu=NVIDIA/RTX_PRO_Server_6000/1/98304
g7e.48xlarge arch=x86_64 cpu=192 mib=2097152 ghz=2.4 by=Intel cards=10,10,10,10 ipv4=64 efa=4 encrypts=yes ebs=100000 store=15200/required gpu=NVIDIA/RTX_PRO_Server_6000/8/98304
g7e.4xlarge arch=x86_64 cpu=16 mib=131072 ghz=2.4 by=Intel cards=8 ipv4=64 encrypts=yes ebs=8000 store=1900/required gpu=NVIDIA/RTX_PRO_Server_6000/1/98304
g7e.8xlarge arch=x86_64 cpu=32 mib=262144 ghz=2.4 by=Intel cards=8 ipv4=64 efa=1 encrypts=yes ebs=16000 store=1900/required gpu=NVIDIA/RTX_PRO_Server_6000/1/98304
gr6.4xlarge arch=x86_64 cpu=16 mib=131072 ghz=3.4 by=AMD cards=8 ipv4=30 encrypts=yes ebs=8000 store=600/required gpu=NVIDIA/L4/1/22888
gr6.8xlarge arch=x86_64 cpu=32 mib=262144 ghz=3.4 by=AMD cards=8 ipv4=30 efa=1 encrypts=yes ebs=16000 store=900/required gpu=NVIDIA/L4/1/22888
gr6f.4xlarge arch=x86_64 cpu=16 mib=131072 ghz=3.4 by=AMD cards=8 ipv4=30 encrypts=yes ebs=8000 store=450/required gpu=NVIDIA/L4/0/11444
h1.16xlarge arch=x86_64 cpu=64 mib=262144 ghz=2.3 by=Intel hypervisor=xen cards=8 ipv4=50 ena=supported ebs=14000 store=16000/unsupported enclaves=unsupported
h1.2xlarge arch=x86_64 cpu=8 mib=32768 ghz=2.3 by=Intel hypervisor=xen cards=4 ipv4=15 ena=supported ebs=1750 store=2000/unsupported enclaves=unsupported
h1.4xlarge arch=x86_64 cpu=16 mib=65536 ghz=2.3 by=Intel hypervisor=xen cards=8 ipv4=30 ena=supported ebs=3500 store=4000/unsupported enclaves=unsupported
h1.8xlarge arch=x86_64 cpu=32 mib=131072 ghz=2.3 by=Intel hypervisor=xen cards=8 ipv4=30 ena=supported ebs=7000 store=8000/unsupported enclaves=unsupported
hpc6a.48xlarge arch=x86_64 cpu=96 mib=393216 ghz=3.6 by=AMD buy=on-demand cards=2 ipv4=50 efa=1 encrypts=yes ebs=2085 enclaves=unsupported
hpc6id.32xlarge arch=x86_64 cpu=64 mib=1048576 ghz=3.5 by=Intel buy=on-demand cards=1,1 ipv4=50 efa=2 encrypts=yes ebs=2085 store=15200/required enclaves=unsupported
hpc7a.12xlarge arch=x86_64 cpu=24 mib=786432 ghz=3.7 by=AMD buy=on-demand cards=2,2 ipv4=50 efa=2 encrypts=yes ebs=2085 enclaves=unsupported
hpc7a.24xlarge arch=x86_64 cpu=48 mib=786432 ghz=3.7 by=AMD buy=on-demand cards=2,2 ipv4=50 efa=2 encrypts=yes ebs=2085 enclaves=unsupported
hpc7a.48xlarge arch=x86_64 cpu=96 mib=786432 ghz=3.7 by=AMD buy=on-demand cards=2,2 ipv4=50 efa=2 encrypts=yes ebs=2085 enclaves=unsupported
hpc7a.96xlarge arch=x86_64 cpu=192 mib=786432 ghz=3.7 by=AMD buy=on-demand cards=2,2 ipv4=50 efa=2 encrypts=yes ebs=2085 enclaves=unsupported
hpc7g.16xlarge arch=arm64 cpu=64 mib=131072 ghz=2.6 by=AWS buy=on-demand cards=4 ipv4=50 efa=1 encrypts=yes ebs=2085 enclaves=unsupported
hpc7g.4xlarge arch=arm64 cpu=16 mib=131072 ghz=2.6 by=AWS buy=on-demand cards=4 ipv4=50 efa=1 encrypts=yes ebs=2085 enclaves=unsupported
hpc7g.8xlarge arch=arm64 cpu=32 mib=131072 ghz=2.6 by=AWS buy=on-demand cards=4 ipv4=50 efa=1 encrypts=yes ebs=2085 enclaves=unsupported
hpc8a.96xlarge arch=x86_64 cpu=192 mib=786432 ghz=4.5 by=AMD buy=on-demand cards=2,2 ipv4=50 efa=2 encrypts=yes ebs=2085 enclaves=unsupported
i2.2xlarge arch=x86_64 cpu=8 mib=62464 ghz=2.5 by=Intel hypervisor=xen cards=4 ipv4=15 ena=unsupported optimized=supported ebs=1000 store=1600/unsupported enclaves=unsupported
i2.4xlarge arch=x86_64 cpu=16 mib=124928 ghz=2.5 by=Intel hypervisor=xen cards=8 ipv4=30 ena=unsupported optimized=supported ebs=2000 store=3200/unsupported enclaves=unsupported
i2.8xlarge arch=x86_64 cpu=32 mib=249856 ghz=2.5 by=Intel hypervisor=xen cards=8 ipv4=30 ena=unsupported optimized=unsupported store=6400/unsupported enclaves=unsupported
i2.xlarge arch=x86_64 cpu=4 mib=31232 ghz=2.5 by=Intel hypervisor=xen cards=4 ipv4=15 ena=unsupported optimized=supported ebs=500 store=800/unsupported enclaves=unsupported
i3.16xlarge arch=x86_64 cpu=64 mib=499712 ghz=2.3 by=Intel hypervisor=xen cards=15 ipv4=50 ena=supported ebs=14000 store=15200/required enclaves=unsupported
i3.2xlarge arch=x86_64 cpu=8 mib=62464 ghz=2.3 by=Intel hypervisor=xen cards=4 ipv4=15 ena=supported ebs=1700 store=1900/required enclaves=unsupported
i3.4xlarge arch=x86_64 cpu=16 mib=124928 ghz=2.3 by=Intel hypervisor=xen cards=8 ipv4=30 ena=supported ebs=3500 store=3800/required enclaves=unsupported
i3.8xlarge arch=x86_64 cpu=32 mib=249856 ghz=2.3 by=Intel hypervisor=xen cards=8 ipv4=30 ena=supported ebs=7000 store=7600/required enclaves=unsupported
i3.large arch=x86_64 cpu=2 mib=15616 ghz=2.3 by=Intel hypervisor=xen cards=3 ipv4=10 ena=supported ebs=425 store=475/required enclaves=unsupported
i3.xlarge arch=x86_64 cpu=4 mib=31232 ghz=2.3 by=Intel hypervisor=xen cards=4 ipv4=15 ena=supported ebs=850 store=950/required enclaves=unsupported
i3en.12xlarge arch=x86_64 cpu=48 mib=393216 ghz=3.1 by=Intel cards=8 ipv4=30 efa=1 encrypts=yes ebs=9500 store=30000/required
i3en.24xlarge arch=x86_64 cpu=96 mib=786432 ghz=3.1 by=Intel cards=15 ipv4=50 efa=1 encrypts=yes ebs=19000 store=60000/required
i3en.2xlarge arch=x86_64 cpu=8 mib=65536 ghz=3.1 by=Intel cards=4 ipv4=15 encrypts=yes ebs=4750 store=5000/required
i3en.3xlarge arch=x86_64 cpu=12 mib=98304 ghz=3.1 by=Intel cards=4 ipv4=15 encrypts=yes ebs=4750 store=7500/required
i3en.6xlarge arch=x86_64 cpu=24 mib=196608 ghz=3.1 by=Intel cards=8 ipv4=30 encrypts=yes ebs=4750 store=15000/required
i3en.large arch=x86_64 cpu=2 mib=16384 ghz=3.1 by=Intel cards=3 ipv4=10 encrypts=yes ebs=4750 store=1250/required enclaves=unsupported
i3en.metal arch=x86_64 cpu=96 mib=786432 ghz=3.1 by=Intel hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=19000 store=60000/required enclaves=unsupported
i3en.xlarge arch=x86_64 cpu=4 mib=32768 ghz=3.1 by=Intel cards=4 ipv4=15 encrypts=yes ebs=4750 store=2500/required
i4g.16xlarge arch=arm64 cpu=64 mib=524288 ghz=2.5 by=AWS cards=15 ipv4=50 efa=1 encrypts=yes ebs=20000 store=15000/required
i4g.2xlarge arch=arm64 cpu=8 mib=65536 ghz=2.5 by=AWS cards=4 ipv4=15 encrypts=yes ebs=10000 store=1875/required
i4g.4xlarge arch=arm64 cpu=16 mib=131072 ghz=2.5 by=AWS cards=8 ipv4=30 encrypts=yes ebs=10000 store=3750/required
i4g.8xlarge arch=arm64 cpu=32 mib=262144 ghz=2.5 by=AWS cards=8 ipv4=30 encrypts=yes ebs=10000 store=7500/required
i4g.large arch=arm64 cpu=2 mib=16384 ghz=2.5 by=AWS cards=3 ipv4=10 encrypts=yes ebs=10000 store=468/required
i4g.xlarge arch=arm64 cpu=4 mib=32768 ghz=2.5 by=AWS cards=4 ipv4=15 encrypts=yes ebs=10000 store=937/required
i4i.12xlarge arch=x86_64 cpu=48 mib=393216 ghz=3.5 by=Intel cards=8 ipv4=30 encrypts=yes ebs=15000 store=11250/required
i4i.16xlarge arch=x86_64 cpu=64 mib=524288 ghz=3.5 by=Intel cards=15 ipv4=50 encrypts=yes ebs=20000 store=15000/required
i4i.24xlarge arch=x86_64 cpu=96 mib=786432 ghz=3.5 by=Intel cards=15 ipv4=30 encrypts=yes ebs=30000 store=22500/required
i4i.2xlarge arch=x86_64 cpu=8 mib=65536 ghz=3.5 by=Intel cards=4 ipv4=15 encrypts=yes ebs=10000 store=1875/required
i4i.32xlarge arch=x86_64 cpu=128 mib=1048576 ghz=3.5 by=Intel cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000 store=30000/required
i4i.4xlarge arch=x86_64 cpu=16 mib=131072 ghz=3.5 by=Intel cards=8 ipv4=30 encrypts=yes ebs=10000 store=3750/required
i4i.8xlarge arch=x86_64 cpu=32 mib=262144 ghz=3.5 by=Intel cards=8 ipv4=30 encrypts=yes ebs=10000 store=7500/required
i4i.large arch=x86_64 cpu=2 mib=16384 ghz=3.5 by=Intel cards=3 ipv4=10 encrypts=yes ebs=10000 store=468/required enclaves=unsupported
i4i.metal arch=x86_64 cpu=128 mib=1048576 ghz=3.5 by=Intel hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000 store=30000/required enclaves=unsupported
i4i.xlarge arch=x86_64 cpu=4 mib=32768 ghz=3.5 by=Intel cards=4 ipv4=15 encrypts=yes ebs=10000 store=937/required
i7i.12xlarge arch=x86_64 cpu=48 mib=393216 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=8 ipv4=30 encrypts=yes ebs=15000 store=11250/required
i7i.16xlarge arch=x86_64 cpu=64 mib=524288 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=15 ipv4=50 encrypts=yes ebs=20000 store=15000/required
i7i.24xlarge arch=x86_64 cpu=96 mib=786432 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=15 ipv4=50 efa=1 encrypts=yes ebs=30000 store=22500/required
i7i.2xlarge arch=x86_64 cpu=8 mib=65536 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=4 ipv4=15 encrypts=yes ebs=10000 store=1875/required
i7i.48xlarge arch=x86_64 cpu=192 mib=1572864 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=15 ipv4=50 efa=1 encrypts=yes ebs=60000 store=45000/required
i7i.4xlarge arch=x86_64 cpu=16 mib=131072 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=8 ipv4=30 encrypts=yes ebs=10000 store=3750/required
i7i.8xlarge arch=x86_64 cpu=32 mib=262144 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=8 ipv4=30 encrypts=yes ebs=10000 store=7500/required
i7i.large arch=x86_64 cpu=2 mib=16384 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=3 ipv4=10 encrypts=yes ebs=10000 store=468/required enclaves=unsupported
i7i.metal-24xl arch=x86_64 cpu=96 mib=786432 ghz=3.2 by=Intel hypervisor=none metal=yes cards=15 ipv4=50 encrypts=yes ebs=30000 store=22500/required enclaves=unsupported
i7i.metal-48xl arch=x86_64 cpu=192 mib=1572864 ghz=3.2 by=Intel hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=60000 store=45000/required enclaves=unsupported
i7i.xlarge arch=x86_64 cpu=4 mib=32768 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=4 ipv4=15 encrypts=yes ebs=10000 store=937/required
i7ie.12xlarge arch=x86_64 cpu=48 mib=393216 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=8 ipv4=50 encrypts=yes ebs=15000 store=30000/required
i7ie.18xlarge arch=x86_64 cpu=72 mib=589824 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=15 ipv4=50 encrypts=yes ebs=22500 store=45000/required
i7ie.24xlarge arch=x86_64 cpu=96 mib=786432 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=15 ipv4=50 encrypts=yes ebs=30000 store=60000/required
i7ie.2xlarge arch=x86_64 cpu=8 mib=65536 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=4 ipv4=15 encrypts=yes ebs=10000 store=5000/required
i7ie.3xlarge arch=x86_64 cpu=12 mib=98304 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=4 ipv4=15 encrypts=yes ebs=10000 store=7500/required
i7ie.48xlarge arch=x86_64 cpu=192 mib=1572864 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=8,7 ipv4=50 efa=1 encrypts=yes ebs=60000 store=120000/required
i7ie.6xlarge arch=x86_64 cpu=24 mib=196608 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=8 ipv4=30 encrypts=yes ebs=10000 store=15000/required
i7ie.large arch=x86_64 cpu=2 mib=16384 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=3 ipv4=10 encrypts=yes ebs=10000 store=1250/required enclaves=unsupported
i7ie.metal-24xl arch=x86_64 cpu=96 mib=786432 ghz=3.2 by=Intel hypervisor=none metal=yes cards=15 ipv4=50 encrypts=yes ebs=30000 store=60000/required enclaves=unsupported
i7ie.metal-48xl arch=x86_64 cpu=192 mib=1572864 ghz=3.2 by=Intel hypervisor=none metal=yes cards=8,7 ipv4=50 efa=1 encrypts=yes ebs=60000 store=120000/required enclaves=unsupported
i7ie.xlarge arch=x86_64 cpu=4 mib=32768 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=4 ipv4=15 encrypts=yes ebs=10000 store=2500/required
i8g.12xlarge arch=arm64 cpu=48 mib=393216 ghz=2.8 by=AWS cards=8 ipv4=30 encrypts=yes ebs=15000 store=11250/required
i8g.16xlarge arch=arm64 cpu=64 mib=524288 ghz=2.8 by=AWS cards=15 ipv4=50 encrypts=yes ebs=20000 store=15000/required
i8g.24xlarge arch=arm64 cpu=96 mib=786432 ghz=2.8 by=AWS cards=15 ipv4=50 encrypts=yes ebs=30000 store=22500/required
i8g.2xlarge arch=arm64 cpu=8 mib=65536 ghz=2.8 by=AWS cards=4 ipv4=15 encrypts=yes ebs=10000 store=1875/required
i8g.48xlarge arch=arm64 cpu=192 mib=1572864 ghz=2.8 by=AWS cards=15 ipv4=50 efa=1 encrypts=yes ebs=60000 store=45000/required
i8g.4xlarge arch=arm64 cpu=16 mib=131072 ghz=2.8 by=AWS cards=8 ipv4=30 encrypts=yes ebs=10000 store=3750/required
i8g.8xlarge arch=arm64 cpu=32 mib=262144 ghz=2.8 by=AWS cards=8 ipv4=30 encrypts=yes ebs=10000 store=7500/required
i8g.large arch=arm64 cpu=2 mib=16384 ghz=2.8 by=AWS cards=3 ipv4=10 encrypts=yes ebs=10000 store=468/required
i8g.metal-24xl arch=arm64 cpu=96 mib=786432 ghz=2.8 by=AWS hypervisor=none metal=yes cards=15 ipv4=50 encrypts=yes ebs=30000 store=22500/required enclaves=unsupported
i8g.metal-48xl arch=arm64 cpu=192 mib=1572864 ghz=2.8 by=AWS hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=60000 store=45000/required enclaves=unsupported
i8g.xlarge arch=arm64 cpu=4 mib=32768 ghz=2.8 by=AWS cards=4 ipv4=15 encrypts=yes ebs=10000 store=937/required
i8ge.12xlarge arch=arm64 cpu=48 mib=393216 ghz=2.8 by=AWS cards=12 ipv4=30 encrypts=yes ebs=15000 store=30000/required
i8ge.18xlarge arch=arm64 cpu=72 mib=589824 ghz=2.8 by=AWS cards=16 ipv4=50 encrypts=yes ebs=22500 store=45000/required
i8ge.24xlarge arch=arm64 cpu=96 mib=786432 ghz=2.8 by=AWS cards=16 ipv4=50 encrypts=yes ebs=30000 store=60000/required
i8ge.2xlarge arch=arm64 cpu=8 mib=65536 ghz=2.8 by=AWS cards=4 ipv4=15 encrypts=yes ebs=10000 store=5000/required
i8ge.3xlarge arch=arm64 cpu=12 mib=98304 ghz=2.8 by=AWS cards=6 ipv4=30 encrypts=yes ebs=10000 store=7500/required
i8ge.48xlarge arch=arm64 cpu=192 mib=1572864 ghz=2.7 by=AWS cards=12,12 ipv4=50 efa=1 encrypts=yes ebs=60000 store=120000/required
i8ge.6xlarge arch=arm64 cpu=24 mib=196608 ghz=2.8 by=AWS cards=10 ipv4=30 encrypts=yes ebs=10000 store=15000/required
i8ge.large arch=arm64 cpu=2 mib=16384 ghz=2.8 by=AWS cards=3 ipv4=10 encrypts=yes ebs=10000 store=1250/required
i8ge.metal-24xl arch=arm64 cpu=96 mib=786432 ghz=2.8 by=AWS hypervisor=none metal=yes cards=16 ipv4=50 encrypts=yes ebs=30000 store=60000/required enclaves=unsupported
i8ge.metal-48xl arch=arm64 cpu=192 mib=1572864 ghz=2.7 by=AWS hypervisor=none metal=yes cards=12,12 ipv4=50 efa=1 encrypts=yes ebs=60000 store=120000/required enclaves=unsupported
i8ge.xlarge arch=arm64 cpu=4 mib=32768 ghz=2.8 by=AWS cards=4 ipv4=15 encrypts=yes ebs=10000 store=2500/required
im4gn.16xlarge arch=arm64 cpu=64 mib=262144 ghz=2.5 by=AWS cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000 store=30000/required enclaves=unsupported
im4gn.2xlarge arch=arm64 cpu=8 mib=32768 ghz=2.5 by=AWS cards=4 ipv4=15 encrypts=yes ebs=10000 store=3750/required enclaves=unsupported
im4gn.4xlarge arch=arm64 cpu=16 mib=65536 ghz=2.5 by=AWS cards=8 ipv4=30 encrypts=yes ebs=10000 store=7500/required enclaves=unsupported
im4gn.8xlarge arch=arm64 cpu=32 mib=131072 ghz=2.5 by=AWS cards=8 ipv4=30 encrypts=yes ebs=20000 store=15000/required enclaves=unsupported
im4gn.large arch=arm64 cpu=2 mib=8192 ghz=2.5 by=AWS cards=3 ipv4=10 encrypts=yes ebs=10000 store=937/required enclaves=unsupported
im4gn.xlarge arch=arm64 cpu=4 mib=16384 ghz=2.5 by=AWS cards=4 ipv4=15 encrypts=yes ebs=10000 store=1875/required enclaves=unsupported
inf1.24xlarge arch=x86_64 cpu=96 mib=196608 ghz=2.5 by=Intel cards=11 ipv4=30 efa=1 encrypts=yes ebs=19000 neuron=Inferentia/16/4 accelerator=AWS/Inferentia/16
inf1.2xlarge arch=x86_64 cpu=8 mib=16384 ghz=2.5 by=Intel cards=4 ipv4=10 encrypts=yes ebs=4750 neuron=Inferentia/1/4 accelerator=AWS/Inferentia/1
inf1.6xlarge arch=x86_64 cpu=24 mib=49152 ghz=2.5 by=Intel cards=8 ipv4=30 encrypts=yes ebs=4750 neuron=Inferentia/4/4 accelerator=AWS/Inferentia/4
inf1.xlarge arch=x86_64 cpu=4 mib=8192 ghz=2.5 by=Intel cards=4 ipv4=10 encrypts=yes ebs=4750 neuron=Inferentia/1/4 accelerator=AWS/Inferentia/1
inf2.24xlarge arch=x86_64 cpu=96 mib=393216 ghz=3.6 by=AMD cards=15 ipv4=50 encrypts=yes ebs=30000 neuron=Inferentia2/6/2 accelerator=AWS/Inferentia2/6
inf2.48xlarge arch=x86_64 cpu=192 mib=786432 ghz=3.6 by=AMD cards=15 ipv4=50 encrypts=yes ebs=60000 neuron=Inferentia2/12/2 accelerator=AWS/Inferentia2/12
inf2.8xlarge arch=x86_64 cpu=32 mib=131072 ghz=3.6 by=AMD cards=8 ipv4=30 encrypts=yes ebs=10000 neuron=Inferentia2/1/2 accelerator=AWS/Inferentia2/1
inf2.xlarge arch=x86_64 cpu=4 mib=16384 ghz=3.6 by=AMD cards=4 ipv4=15 encrypts=yes ebs=10000 neuron=Inferentia2/1/2 accelerator=AWS/Inferentia2/1
is4gen.2xlarge arch=arm64 cpu=8 mib=49152 ghz=2.5 by=AWS cards=4 ipv4=15 encrypts=yes ebs=10000 store=7500/required enclaves=unsupported
is4gen.4xlarge arch=arm64 cpu=16 mib=98304 ghz=2.5 by=AWS cards=8 ipv4=30 encrypts=yes ebs=10000 store=15000/required enclaves=unsupported
is4gen.8xlarge arch=arm64 cpu=32 mib=196608 ghz=2.5 by=AWS cards=8 ipv4=30 encrypts=yes ebs=20000 store=30000/required enclaves=unsupported
is4gen.large arch=arm64 cpu=2 mib=12288 ghz=2.5 by=AWS cards=3 ipv4=10 encrypts=yes ebs=10000 store=1875/required enclaves=unsupported
is4gen.medium arch=arm64 cpu=1 mib=6144 ghz=2.5 by=AWS cards=2 ipv4=4 encrypts=yes ebs=10000 store=937/required enclaves=unsupported
is4gen.xlarge arch=arm64 cpu=4 mib=24576 ghz=2.5 by=AWS cards=4 ipv4=15 encrypts=yes ebs=10000 store=3750/required enclaves=unsupported
m1.large arch=x86_64 cpu=2 mib=7680 by=Intel hypervisor=xen cards=3 ipv4=10 ena=unsupported optimized=supported ebs=500 store=840/unsupported group=partition,spread enclaves=unsupported
m1.medium arch=x86_64 cpu=1 mib=3788 by=Intel hypervisor=xen cards=2 ipv4=6 ena=unsupported optimized=unsupported store=410/unsupported group=partition,spread enclaves=unsupported
m1.small arch=x86_64 cpu=1 mib=1740 by=Intel hypervisor=xen cards=2 ipv4=4 ena=unsupported optimized=unsupported store=160/unsupported group=partition,spread enclaves=unsupported
m1.xlarge arch=x86_64 cpu=4 mib=15360 by=Intel hypervisor=xen cards=4 ipv4=15 ena=unsupported optimized=supported ebs=1000 store=1680/unsupported group=partition,spread enclaves=unsupported
m2.2xlarge arch=x86_64 cpu=4 mib=35020 by=Intel hypervisor=xen cards=4 ipv4=30 ena=unsupported optimized=supported ebs=500 store=850/unsupported group=partition,spread enclaves=unsupported
m2.4xlarge arch=x86_64 cpu=8 mib=70041 by=Intel hypervisor=xen cards=8 ipv4=30 ena=unsupported optimized=supported ebs=1000 store=1680/unsupported group=partition,spread enclaves=unsupported
m2.xlarge arch=x86_64 cpu=2 mib=17510 by=Intel hypervisor=xen cards=4 ipv4=15 ena=unsupported optimized=unsupported store=420/unsupported group=partition,spread enclaves=unsupported
m3.2xlarge arch=x86_64 cpu=8 mib=30720 ghz=2.5 by=Intel hypervisor=xen cards=4 ipv4=30 ena=unsupported optimized=supported ebs=1000 store=160/unsupported group=partition,spread enclaves=unsupported
m3.large arch=x86_64 cpu=2 mib=7680 ghz=2.5 by=Intel hypervisor=xen cards=3 ipv4=10 ena=unsupported optimized=unsupported store=32/unsupported group=partition,spread enclaves=unsupported
m3.medium arch=x86_64 cpu=1 mib=3840 ghz=2.5 by=Intel hypervisor=xen cards=2 ipv4=6 ena=unsupported optimized=unsupported store=4/unsupported group=partition,spread enclaves=unsupported
m3.xlarge arch=x86_64 cpu=4 mib=15360 ghz=2.5 by=Intel hypervisor=xen cards=4 ipv4=15 ena=unsupported optimized=supported ebs=500 store=80/unsupported group=partition,spread enclaves=unsupported
m4.10xlarge arch=x86_64 cpu=40 mib=163840 ghz=2.4 by=Intel hypervisor=xen cards=8 ipv4=30 ena=unsupported ebs=4000 enclaves=unsupported
m4.16xlarge arch=x86_64 cpu=64 mib=262144 ghz=2.3 by=Intel hypervisor=xen cards=8 ipv4=30 ena=supported ebs=10000 enclaves=unsupported
m4.2xlarge arch=x86_64 cpu=8 mib=32768 ghz=2.4 by=Intel hypervisor=xen cards=4 ipv4=15 ena=unsupported ebs=1000 enclaves=unsupported
m4.4xlarge arch=x86_64 cpu=16 mib=65536 ghz=2.4 by=Intel hypervisor=xen cards=8 ipv4=30 ena=unsupported ebs=2000 enclaves=unsupported
m4.large arch=x86_64 cpu=2 mib=8192 ghz=2.4 by=Intel hypervisor=xen cards=2 ipv4=10 ena=unsupported ebs=450 enclaves=unsupported
m4.xlarge arch=x86_64 cpu=4 mib=16384 ghz=2.4 by=Intel hypervisor=xen cards=4 ipv4=15 ena=unsupported ebs=750 enclaves=unsupported
m5.12xlarge arch=x86_64 cpu=48 mib=196608 ghz=3.1 by=Intel cards=8 ipv4=30 ebs=9500
m5.16xlarge arch=x86_64 cpu=64 mib=262144 ghz=3.1 by=Intel cards=15 ipv4=50 ebs=13600
m5.24xlarge arch=x86_64 cpu=96 mib=393216 ghz=3.1 by=Intel cards=15 ipv4=50 ebs=19000
m5.2xlarge arch=x86_64 cpu=8 mib=32768 ghz=3.1 by=Intel cards=4 ipv4=15 ebs=4750
m5.4xlarge arch=x86_64 cpu=16 mib=65536 ghz=3.1 by=Intel cards=8 ipv4=30 ebs=4750
m5.8xlarge arch=x86_64 cpu=32 mib=131072 ghz=3.1 by=Intel cards=8 ipv4=30 ebs=6800
m5.large arch=x86_64 cpu=2 mib=8192 ghz=3.1 by=Intel cards=3 ipv4=10 ebs=4750 enclaves=unsupported
m5.metal arch=x86_64 cpu=96 mib=393216 ghz=3.1 by=Intel hypervisor=none metal=yes cards=15 ipv4=50 ebs=19000 enclaves=unsupported
m5.xlarge arch=x86_64 cpu=4 mib=16384 ghz=3.1 by=Intel cards=4 ipv4=15 ebs=4750
m5a.12xlarge arch=x86_64 cpu=48 mib=196608 ghz=2.5 by=AMD cards=8 ipv4=30 ebs=6780
m5a.16xlarge arch=x86_64 cpu=64 mib=262144 ghz=2.5 by=AMD cards=15 ipv4=50 ebs=9500
m5a.24xlarge arch=x86_64 cpu=96 mib=393216 ghz=2.5 by=AMD cards=15 ipv4=50 ebs=13750
m5a.2xlarge arch=x86_64 cpu=8 mib=32768 ghz=2.5 by=AMD cards=4 ipv4=15 ebs=2880
m5a.4xlarge arch=x86_64 cpu=16 mib=65536 ghz=2.5 by=AMD cards=8 ipv4=30 ebs=2880
m5a.8xlarge arch=x86_64 cpu=32 mib=131072 ghz=2.5 by=AMD cards=8 ipv4=30 ebs=4750
m5a.large arch=x86_64 cpu=2 mib=8192 ghz=2.5 by=AMD cards=3 ipv4=10 ebs=2880 enclaves=unsupported
m5a.xlarge arch=x86_64 cpu=4 mib=16384 ghz=2.5 by=AMD cards=4 ipv4=15 ebs=2880
m5ad.12xlarge arch=x86_64 cpu=48 mib=196608 ghz=2.2 by=AMD cards=8 ipv4=30 ebs=6780 store=1800/required
m5ad.16xlarge arch=x86_64 cpu=64 mib=262144 ghz=2.5 by=AMD cards=15 ipv4=50 ebs=9500 store=2400/required
m5ad.24xlarge arch=x86_64 cpu=96 mib=393216 ghz=2.2 by=AMD cards=15 ipv4=50 ebs=13750 store=3600/required
m5ad.2xlarge arch=x86_64 cpu=8 mib=32768 ghz=2.2 by=AMD cards=4 ipv4=15 ebs=2880 store=300/required
m5ad.4xlarge arch=x86_64 cpu=16 mib=65536 ghz=2.2 by=AMD cards=8 ipv4=30 ebs=2880 store=600/required
m5ad.8xlarge arch=x86_64 cpu=32 mib=131072 ghz=2.5 by=AMD cards=8 ipv4=30 ebs=4750 store=1200/required
m5ad.large arch=x86_64 cpu=2 mib=8192 ghz=2.2 by=AMD cards=3 ipv4=10 ebs=2880 store=75/required enclaves=unsupported
m5ad.xlarge arch=x86_64 cpu=4 mib=16384 ghz=2.2 by=AMD cards=4 ipv4=15 ebs=2880 store=150/required
m5d.12xlarge arch=x86_64 cpu=48 mib=196608 ghz=3.1 by=Intel cards=8 ipv4=30 ebs=9500 store=1800/required
m5d.16xlarge arch=x86_64 cpu=64 mib=262144 ghz=3.1 by=Intel cards=15 ipv4=50 ebs=13600 store=2400/required
m5d.24xlarge arch=x86_64 cpu=96 mib=393216 ghz=3.1 by=Intel cards=15 ipv4=50 ebs=19000 store=3600/required
m5d.2xlarge arch=x86_64 cpu=8 mib=32768 ghz=3.1 by=Intel cards=4 ipv4=15 ebs=4750 store=300/required
m5d.4xlarge arch=x86_64 cpu=16 mib=65536 ghz=3.1 by=Intel cards=8 ipv4=30 ebs=4750 store=600/required
m5d.8xlarge arch=x86_64 cpu=32 mib=131072 ghz=3.1 by=Intel cards=8 ipv4=30 ebs=6800 store=1200/required
m5d.large arch=x86_64 cpu=2 mib=8192 ghz=3.1 by=Intel cards=3 ipv4=10 ebs=4750 store=75/required enclaves=unsupported
m5d.metal arch=x86_64 cpu=96 mib=393216 ghz=3.1 by=Intel hypervisor=none metal=yes cards=15 ipv4=50 ebs=19000 store=3600/required enclaves=unsupported
m5d.xlarge arch=x86_64 cpu=4 mib=16384 ghz=3.1 by=Intel cards=4 ipv4=15 ebs=4750 store=150/required
m5dn.12xlarge arch=x86_64 cpu=48 mib=196608 ghz=3.1 by=Intel cards=8 ipv4=30 encrypts=yes ebs=9500 store=1800/required
m5dn.16xlarge arch=x86_64 cpu=64 mib=262144 ghz=3.1 by=Intel cards=15 ipv4=50 encrypts=yes ebs=13600 store=2400/required
m5dn.24xlarge arch=x86_64 cpu=96 mib=393216 ghz=3.1 by=Intel cards=15 ipv4=50 efa=1 encrypts=yes ebs=19000 store=3600/required
m5dn.2xlarge arch=x86_64 cpu=8 mib=32768 ghz=3.1 by=Intel cards=4 ipv4=15 encrypts=yes ebs=4750 store=300/required
m5dn.4xlarge arch=x86_64 cpu=16 mib=65536 ghz=3.1 by=Intel cards=8 ipv4=30 encrypts=yes ebs=4750 store=600/required
m5dn.8xlarge arch=x86_64 cpu=32 mib=131072 ghz=3.1 by=Intel cards=8 ipv4=30 encrypts=yes ebs=6800 store=1200/required
m5dn.large arch=x86_64 cpu=2 mib=8192 ghz=3.1 by=Intel cards=3 ipv4=10 encrypts=yes ebs=4750 store=75/required enclaves=unsupported
m5dn.metal arch=x86_64 cpu=96 mib=393216 ghz=3.1 by=Intel hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=19000 store=3600/required enclaves=unsupported
m5dn.xlarge arch=x86_64 cpu=4 mib=16384 ghz=3.1 by=Intel cards=4 ipv4=15 encrypts=yes ebs=4750 store=150/required
m5n.12xlarge arch=x86_64 cpu=48 mib=196608 ghz=3.1 by=Intel cards=8 ipv4=30 encrypts=yes ebs=9500
m5n.16xlarge arch=x86_64 cpu=64 mib=262144 ghz=3.1 by=Intel cards=15 ipv4=50 encrypts=yes ebs=13600
m5n.24xlarge arch=x86_64 cpu=96 mib=393216 ghz=3.1 by=Intel cards=15 ipv4=50 efa=1 encrypts=yes ebs=19000
m5n.2xlarge arch=x86_64 cpu=8 mib=32768 ghz=3.1 by=Intel cards=4 ipv4=15 encrypts=yes ebs=4750
m5n.4xlarge arch=x86_64 cpu=16 mib=65536 ghz=3.1 by=Intel cards=8 ipv4=30 encrypts=yes ebs=4750
m5n.8xlarge arch=x86_64 cpu=32 mib=131072 ghz=3.1 by=Intel cards=8 ipv4=30 encrypts=yes ebs=6800
m5n.large arch=x86_64 cpu=2 mib=8192 ghz=3.1 by=Intel cards=3 ipv4=10 encrypts=yes ebs=4750 enclaves=unsupported
m5n.metal arch=x86_64 cpu=96 mib=393216 ghz=3.1 by=Intel hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=19000 enclaves=unsupported
m5n.xlarge arch=x86_64 cpu=4 mib=16384 ghz=3.1 by=Intel cards=4 ipv4=15 encrypts=yes ebs=4750
m5zn.12xlarge arch=x86_64 cpu=48 mib=196608 ghz=4.5 by=Intel cards=15 ipv4=50 efa=1 encrypts=yes ebs=19000
m5zn.2xlarge arch=x86_64 cpu=8 mib=32768 ghz=4.5 by=Intel cards=4 ipv4=15 encrypts=yes ebs=3170
m5zn.3xlarge arch=x86_64 cpu=12 mib=49152 ghz=4.5 by=Intel cards=8 ipv4=30 encrypts=yes ebs=4750
m5zn.6xlarge arch=x86_64 cpu=24 mib=98304 ghz=4.5 by=Intel cards=8 ipv4=30 encrypts=yes ebs=9500
m5zn.large arch=x86_64 cpu=2 mib=8192 ghz=4.5 by=Intel cards=3 ipv4=10 encrypts=yes ebs=3170 enclaves=unsupported
m5zn.metal arch=x86_64 cpu=48 mib=196608 ghz=4.5 by=Intel hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=19000 enclaves=unsupported
m5zn.xlarge arch=x86_64 cpu=4 mib=16384 ghz=4.5 by=Intel cards=4 ipv4=15 encrypts=yes ebs=3170
m6a.12xlarge arch=x86_64 cpu=48 mib=196608 ghz=3.6 by=AMD cards=8 ipv4=30 encrypts=yes ebs=15000
m6a.16xlarge arch=x86_64 cpu=64 mib=262144 ghz=3.6 by=AMD cards=15 ipv4=50 encrypts=yes ebs=20000
m6a.24xlarge arch=x86_64 cpu=96 mib=393216 ghz=3.6 by=AMD cards=15 ipv4=50 encrypts=yes ebs=30000
m6a.2xlarge arch=x86_64 cpu=8 mib=32768 ghz=3.6 by=AMD can=amd-sev-snp cards=4 ipv4=15 encrypts=yes ebs=10000
m6a.32xlarge arch=x86_64 cpu=128 mib=524288 ghz=3.6 by=AMD cards=15 ipv4=50 encrypts=yes ebs=40000
m6a.48xlarge arch=x86_64 cpu=192 mib=786432 ghz=3.6 by=AMD cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000
m6a.4xlarge arch=x86_64 cpu=16 mib=65536 ghz=3.6 by=AMD can=amd-sev-snp cards=8 ipv4=30 encrypts=yes ebs=10000
m6a.8xlarge arch=x86_64 cpu=32 mib=131072 ghz=3.6 by=AMD can=amd-sev-snp cards=8 ipv4=30 encrypts=yes ebs=10000
m6a.large arch=x86_64 cpu=2 mib=8192 ghz=3.6 by=AMD can=amd-sev-snp cards=3 ipv4=10 encrypts=yes ebs=10000 enclaves=unsupported
m6a.metal arch=x86_64 cpu=192 mib=786432 ghz=3.6 by=AMD hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000 enclaves=unsupported
m6a.xlarge arch=x86_64 cpu=4 mib=16384 ghz=3.6 by=AMD can=amd-sev-snp cards=4 ipv4=15 encrypts=yes ebs=10000
m6g.12xlarge arch=arm64 cpu=48 mib=196608 ghz=2.5 by=AWS cards=8 ipv4=30 ebs=14250
m6g.16xlarge arch=arm64 cpu=64 mib=262144 ghz=2.5 by=AWS cards=15 ipv4=50 ebs=19000
m6g.2xlarge arch=arm64 cpu=8 mib=32768 ghz=2.5 by=AWS cards=4 ipv4=15 ebs=4750
m6g.4xlarge arch=arm64 cpu=16 mib=65536 ghz=2.5 by=AWS cards=8 ipv4=30 ebs=4750
m6g.8xlarge arch=arm64 cpu=32 mib=131072 ghz=2.5 by=AWS cards=8 ipv4=30 ebs=9500
m6g.large arch=arm64 cpu=2 mib=8192 ghz=2.5 by=AWS cards=3 ipv4=10 ebs=4750
m6g.medium arch=arm64 cpu=1 mib=4096 ghz=2.5 by=AWS cards=2 ipv4=4 ebs=4750 enclaves=unsupported
m6g.metal arch=arm64 cpu=64 mib=262144 ghz=2.5 by=AWS hypervisor=none metal=yes cards=15 ipv4=50 ebs=19000 enclaves=unsupported
m6g.xlarge arch=arm64 cpu=4 mib=16384 ghz=2.5 by=AWS cards=4 ipv4=15 ebs=4750
m6gd.12xlarge arch=arm64 cpu=48 mib=196608 ghz=2.5 by=AWS cards=8 ipv4=30 ebs=14250 store=2850/required
m6gd.16xlarge arch=arm64 cpu=64 mib=262144 ghz=2.5 by=AWS cards=15 ipv4=50 ebs=19000 store=3800/required
m6gd.2xlarge arch=arm64 cpu=8 mib=32768 ghz=2.5 by=AWS cards=4 ipv4=15 ebs=4750 store=474/required
m6gd.4xlarge arch=arm64 cpu=16 mib=65536 ghz=2.5 by=AWS cards=8 ipv4=30 ebs=4750 store=950/required
m6gd.8xlarge arch=arm64 cpu=32 mib=131072 ghz=2.5 by=AWS cards=8 ipv4=30 ebs=9500 store=1900/required
m6gd.large arch=arm64 cpu=2 mib=8192 ghz=2.5 by=AWS cards=3 ipv4=10 ebs=4750 store=118/required
m6gd.medium arch=arm64 cpu=1 mib=4096 ghz=2.5 by=AWS cards=2 ipv4=4 ebs=4750 store=59/required enclaves=unsupported
m6gd.metal arch=arm64 cpu=64 mib=262144 ghz=2.5 by=AWS hypervisor=none metal=yes cards=15 ipv4=50 ebs=19000 store=3800/required enclaves=unsupported
m6gd.xlarge arch=arm64 cpu=4 mib=16384 ghz=2.5 by=AWS cards=4 ipv4=15 ebs=4750 store=237/required
m6i.12xlarge arch=x86_64 cpu=48 mib=196608 ghz=3.5 by=Intel cards=8 ipv4=30 encrypts=yes ebs=15000
m6i.16xlarge arch=x86_64 cpu=64 mib=262144 ghz=3.5 by=Intel cards=15 ipv4=50 encrypts=yes ebs=20000
m6i.24xlarge arch=x86_64 cpu=96 mib=393216 ghz=3.5 by=Intel cards=15 ipv4=50 encrypts=yes ebs=30000
m6i.2xlarge arch=x86_64 cpu=8 mib=32768 ghz=3.5 by=Intel cards=4 ipv4=15 encrypts=yes ebs=10000
m6i.32xlarge arch=x86_64 cpu=128 mib=524288 ghz=3.5 by=Intel cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000
m6i.4xlarge arch=x86_64 cpu=16 mib=65536 ghz=3.5 by=Intel cards=8 ipv4=30 encrypts=yes ebs=10000
m6i.8xlarge arch=x86_64 cpu=32 mib=131072 ghz=3.5 by=Intel cards=8 ipv4=30 encrypts=yes ebs=10000
m6i.large arch=x86_64 cpu=2 mib=8192 ghz=3.5 by=Intel cards=3 ipv4=10 encrypts=yes ebs=10000 enclaves=unsupported
m6i.metal arch=x86_64 cpu=128 mib=524288 ghz=3.5 by=Intel hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000 enclaves=unsupported
m6i.xlarge arch=x86_64 cpu=4 mib=16384 ghz=3.5 by=Intel cards=4 ipv4=15 encrypts=yes ebs=10000
m6id.12xlarge arch=x86_64 cpu=48 mib=196608 ghz=3.5 by=Intel cards=8 ipv4=30 encrypts=yes ebs=15000 store=2850/required
m6id.16xlarge arch=x86_64 cpu=64 mib=262144 ghz=3.5 by=Intel cards=15 ipv4=50 encrypts=yes ebs=20000 store=3800/required
m6id.24xlarge arch=x86_64 cpu=96 mib=393216 ghz=3.5 by=Intel cards=15 ipv4=50 encrypts=yes ebs=30000 store=5700/required
m6id.2xlarge arch=x86_64 cpu=8 mib=32768 ghz=3.5 by=Intel cards=4 ipv4=15 encrypts=yes ebs=10000 store=474/required
m6id.32xlarge arch=x86_64 cpu=128 mib=524288 ghz=3.5 by=Intel cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000 store=7600/required
m6id.4xlarge arch=x86_64 cpu=16 mib=65536 ghz=3.5 by=Intel cards=8 ipv4=30 encrypts=yes ebs=10000 store=950/required
m6id.8xlarge arch=x86_64 cpu=32 mib=131072 ghz=3.5 by=Intel cards=8 ipv4=30 encrypts=yes ebs=10000 store=1900/required
m6id.large arch=x86_64 cpu=2 mib=8192 ghz=3.5 by=Intel cards=3 ipv4=10 encrypts=yes ebs=10000 store=118/required enclaves=unsupported
m6id.metal arch=x86_64 cpu=128 mib=524288 ghz=3.5 by=Intel hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000 store=7600/required enclaves=unsupported
m6id.xlarge arch=x86_64 cpu=4 mib=16384 ghz=3.5 by=Intel cards=4 ipv4=15 encrypts=yes ebs=10000 store=237/required
m6idn.12xlarge arch=x86_64 cpu=48 mib=196608 ghz=3.5 by=Intel cards=8 ipv4=30 encrypts=yes ebs=37500 store=2850/required
m6idn.16xlarge arch=x86_64 cpu=64 mib=262144 ghz=3.5 by=Intel cards=15 ipv4=50 encrypts=yes ebs=50000 store=3800/required
m6idn.24xlarge arch=x86_64 cpu=96 mib=393216 ghz=3.5 by=Intel cards=15 ipv4=50 encrypts=yes ebs=75000 store=5700/required
m6idn.2xlarge arch=x86_64 cpu=8 mib=32768 ghz=3.5 by=Intel cards=4 ipv4=15 encrypts=yes ebs=25000 store=474/required
m6idn.32xlarge arch=x86_64 cpu=128 mib=524288 ghz=3.5 by=Intel cards=8,8 ipv4=50 efa=2 encrypts=yes ebs=100000 store=7600/required
m6idn.4xlarge arch=x86_64 cpu=16 mib=65536 ghz=3.5 by=Intel cards=8 ipv4=30 encrypts=yes ebs=25000 store=950/required
m6idn.8xlarge arch=x86_64 cpu=32 mib=131072 ghz=3.5 by=Intel cards=8 ipv4=30 encrypts=yes ebs=25000 store=1900/required
m6idn.large arch=x86_64 cpu=2 mib=8192 ghz=3.5 by=Intel cards=3 ipv4=10 encrypts=yes ebs=25000 store=118/required enclaves=unsupported
m6idn.metal arch=x86_64 cpu=128 mib=524288 ghz=3.5 by=Intel hypervisor=none metal=yes cards=8,8 ipv4=50 efa=2 encrypts=yes ebs=100000 store=7600/required enclaves=unsupported
m6idn.xlarge arch=x86_64 cpu=4 mib=16384 ghz=3.5 by=Intel cards=4 ipv4=15 encrypts=yes ebs=25000 store=237/required
m6in.12xlarge arch=x86_64 cpu=48 mib=196608 ghz=3.5 by=Intel cards=8 ipv4=30 encrypts=yes ebs=37500
m6in.16xlarge arch=x86_64 cpu=64 mib=262144 ghz=3.5 by=Intel cards=15 ipv4=50 encrypts=yes ebs=50000
m6in.24xlarge arch=x86_64 cpu=96 mib=393216 ghz=3.5 by=Intel cards=15 ipv4=50 encrypts=yes ebs=75000
m6in.2xlarge arch=x86_64 cpu=8 mib=32768 ghz=3.5 by=Intel cards=4 ipv4=15 encrypts=yes ebs=25000
m6in.32xlarge arch=x86_64 cpu=128 mib=524288 ghz=3.5 by=Intel cards=8,8 ipv4=50 efa=2 encrypts=yes ebs=100000
m6in.4xlarge arch=x86_64 cpu=16 mib=65536 ghz=3.5 by=Intel cards=8 ipv4=30 encrypts=yes ebs=25000
m6in.8xlarge arch=x86_64 cpu=32 mib=131072 ghz=3.5 by=Intel cards=8 ipv4=30 encrypts=yes ebs=25000
m6in.large arch=x86_64 cpu=2 mib=8192 ghz=3.5 by=Intel cards=3 ipv4=10 encrypts=yes ebs=25000 enclaves=unsupported
m6in.metal arch=x86_64 cpu=128 mib=524288 ghz=3.5 by=Intel hypervisor=none metal=yes cards=8,8 ipv4=50 efa=2 encrypts=yes ebs=100000 enclaves=unsupported
m6in.xlarge arch=x86_64 cpu=4 mib=16384 ghz=3.5 by=Intel cards=4 ipv4=15 encrypts=yes ebs=25000
m7a.12xlarge arch=x86_64 cpu=48 mib=196608 ghz=3.7 by=AMD cards=8 ipv4=30 encrypts=yes ebs=15000
m7a.16xlarge arch=x86_64 cpu=64 mib=262144 ghz=3.7 by=AMD cards=15 ipv4=50 encrypts=yes ebs=20000
m7a.24xlarge arch=x86_64 cpu=96 mib=393216 ghz=3.7 by=AMD cards=15 ipv4=50 encrypts=yes ebs=30000
m7a.2xlarge arch=x86_64 cpu=8 mib=32768 ghz=3.7 by=AMD cards=4 ipv4=15 encrypts=yes ebs=10000
m7a.32xlarge arch=x86_64 cpu=128 mib=524288 ghz=3.7 by=AMD cards=15 ipv4=50 encrypts=yes ebs=40000
m7a.48xlarge arch=x86_64 cpu=192 mib=786432 ghz=3.7 by=AMD cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000
m7a.4xlarge arch=x86_64 cpu=16 mib=65536 ghz=3.7 by=AMD cards=8 ipv4=30 encrypts=yes ebs=10000
m7a.8xlarge arch=x86_64 cpu=32 mib=131072 ghz=3.7 by=AMD cards=8 ipv4=30 encrypts=yes ebs=10000
m7a.large arch=x86_64 cpu=2 mib=8192 ghz=3.7 by=AMD cards=3 ipv4=10 encrypts=yes ebs=10000 enclaves=unsupported
m7a.medium arch=x86_64 cpu=1 mib=4096 ghz=3.7 by=AMD cards=2 ipv4=4 encrypts=yes ebs=10000 enclaves=unsupported
m7a.metal-48xl arch=x86_64 cpu=192 mib=786432 ghz=3.7 by=AMD hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000 enclaves=unsupported
m7a.xlarge arch=x86_64 cpu=4 mib=16384 ghz=3.7 by=AMD cards=4 ipv4=15 encrypts=yes ebs=10000
m7g.12xlarge arch=arm64 cpu=48 mib=196608 ghz=2.6 by=AWS cards=8 ipv4=30 encrypts=yes ebs=15000
m7g.16xlarge arch=arm64 cpu=64 mib=262144 ghz=2.6 by=AWS cards=15 ipv4=50 efa=1 encrypts=yes ebs=20000
m7g.2xlarge arch=arm64 cpu=8 mib=32768 ghz=2.6 by=AWS cards=4 ipv4=15 encrypts=yes ebs=10000
m7g.4xlarge arch=arm64 cpu=16 mib=65536 ghz=2.6 by=AWS cards=8 ipv4=30 encrypts=yes ebs=10000
m7g.8xlarge arch=arm64 cpu=32 mib=131072 ghz=2.6 by=AWS cards=8 ipv4=30 encrypts=yes ebs=10000
m7g.large arch=arm64 cpu=2 mib=8192 ghz=2.6 by=AWS cards=3 ipv4=10 encrypts=yes ebs=10000
m7g.medium arch=arm64 cpu=1 mib=4096 ghz=2.6 by=AWS cards=2 ipv4=4 encrypts=yes ebs=10000 enclaves=unsupported
m7g.metal arch=arm64 cpu=64 mib=262144 ghz=2.6 by=AWS hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=20000 enclaves=unsupported
m7g.xlarge arch=arm64 cpu=4 mib=16384 ghz=2.6 by=AWS cards=4 ipv4=15 encrypts=yes ebs=10000
m7gd.12xlarge arch=arm64 cpu=48 mib=196608 ghz=2.6 by=AWS cards=8 ipv4=30 encrypts=yes ebs=15000 store=2850/required
m7gd.16xlarge arch=arm64 cpu=64 mib=262144 ghz=2.6 by=AWS cards=15 ipv4=50 efa=1 encrypts=yes ebs=20000 store=3800/required
m7gd.2xlarge arch=arm64 cpu=8 mib=32768 ghz=2.6 by=AWS cards=4 ipv4=15 encrypts=yes ebs=10000 store=474/required
m7gd.4xlarge arch=arm64 cpu=16 mib=65536 ghz=2.6 by=AWS cards=8 ipv4=30 encrypts=yes ebs=10000 store=950/required
m7gd.8xlarge arch=arm64 cpu=32 mib=131072 ghz=2.6 by=AWS cards=8 ipv4=30 encrypts=yes ebs=10000 store=1900/required
m7gd.large arch=arm64 cpu=2 mib=8192 ghz=2.6 by=AWS cards=3 ipv4=10 encrypts=yes ebs=10000 store=118/required
m7gd.medium arch=arm64 cpu=1 mib=4096 ghz=2.6 by=AWS cards=2 ipv4=4 encrypts=yes ebs=10000 store=59/required enclaves=unsupported
m7gd.metal arch=arm64 cpu=64 mib=262144 ghz=2.6 by=AWS hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=20000 store=3800/required enclaves=unsupported
m7gd.xlarge arch=arm64 cpu=4 mib=16384 ghz=2.6 by=AWS cards=4 ipv4=15 encrypts=yes ebs=10000 store=237/required
m7i-flex.12xlarge arch=x86_64 cpu=48 mib=196608 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=8 ipv4=30 encrypts=yes ebs=15000 group=partition,spread enclaves=unsupported
m7i-flex.16xlarge arch=x86_64 cpu=64 mib=262144 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=15 ipv4=50 encrypts=yes ebs=20000 group=partition,spread enclaves=unsupported
m7i-flex.2xlarge arch=x86_64 cpu=8 mib=32768 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=4 ipv4=15 encrypts=yes ebs=10000 group=partition,spread enclaves=unsupported
m7i-flex.4xlarge arch=x86_64 cpu=16 mib=65536 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=8 ipv4=30 encrypts=yes ebs=10000 group=partition,spread enclaves=unsupported
m7i-flex.8xlarge arch=x86_64 cpu=32 mib=131072 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=8 ipv4=30 encrypts=yes ebs=10000 group=partition,spread enclaves=unsupported
m7i-flex.large arch=x86_64 cpu=2 mib=8192 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=3 ipv4=10 encrypts=yes ebs=10000 group=partition,spread enclaves=unsupported
m7i-flex.xlarge arch=x86_64 cpu=4 mib=16384 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=4 ipv4=15 encrypts=yes ebs=10000 group=partition,spread enclaves=unsupported
m7i.12xlarge arch=x86_64 cpu=48 mib=196608 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=8 ipv4=30 encrypts=yes ebs=15000
m7i.16xlarge arch=x86_64 cpu=64 mib=262144 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=15 ipv4=50 encrypts=yes ebs=20000
m7i.24xlarge arch=x86_64 cpu=96 mib=393216 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=15 ipv4=50 encrypts=yes ebs=30000
m7i.2xlarge arch=x86_64 cpu=8 mib=32768 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=4 ipv4=15 encrypts=yes ebs=10000
m7i.48xlarge arch=x86_64 cpu=192 mib=786432 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000
m7i.4xlarge arch=x86_64 cpu=16 mib=65536 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=8 ipv4=30 encrypts=yes ebs=10000
m7i.8xlarge arch=x86_64 cpu=32 mib=131072 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=8 ipv4=30 encrypts=yes ebs=10000
m7i.large arch=x86_64 cpu=2 mib=8192 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=3 ipv4=10 encrypts=yes ebs=10000 enclaves=unsupported
m7i.metal-24xl arch=x86_64 cpu=96 mib=393216 ghz=3.2 by=Intel hypervisor=none metal=yes cards=15 ipv4=50 encrypts=yes ebs=30000 enclaves=unsupported
m7i.metal-48xl arch=x86_64 cpu=192 mib=786432 ghz=3.2 by=Intel hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000 enclaves=unsupported
m7i.xlarge arch=x86_64 cpu=4 mib=16384 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=4 ipv4=15 encrypts=yes ebs=10000
m8a.12xlarge arch=x86_64 cpu=48 mib=196608 ghz=4.5 by=AMD cards=12 ipv4=64 encrypts=yes ebs=15000
m8a.16xlarge arch=x86_64 cpu=64 mib=262144 ghz=4.5 by=AMD cards=16 ipv4=64 encrypts=yes ebs=20000
m8a.24xlarge arch=x86_64 cpu=96 mib=393216 ghz=4.5 by=AMD cards=16 ipv4=64 encrypts=yes ebs=30000
m8a.2xlarge arch=x86_64 cpu=8 mib=32768 ghz=4.5 by=AMD cards=4 ipv4=40 encrypts=yes ebs=10000
m8a.48xlarge arch=x86_64 cpu=192 mib=786432 ghz=4.5 by=AMD cards=24 ipv4=64 efa=1 encrypts=yes ebs=60000
m8a.4xlarge arch=x86_64 cpu=16 mib=65536 ghz=4.5 by=AMD cards=8 ipv4=40 encrypts=yes ebs=10000
m8a.8xlarge arch=x86_64 cpu=32 mib=131072 ghz=4.5 by=AMD cards=10 ipv4=40 encrypts=yes ebs=10000
m8a.large arch=x86_64 cpu=2 mib=8192 ghz=4.5 by=AMD cards=3 ipv4=20 encrypts=yes ebs=10000
m8a.medium arch=x86_64 cpu=1 mib=4096 ghz=4.5 by=AMD cards=2 ipv4=4 encrypts=yes ebs=10000 enclaves=unsupported
m8a.metal-24xl arch=x86_64 cpu=96 mib=393216 ghz=4.5 by=AMD hypervisor=none metal=yes cards=16 ipv4=64 encrypts=yes ebs=30000 enclaves=unsupported
m8a.metal-48xl arch=x86_64 cpu=192 mib=786432 ghz=4.5 by=AMD hypervisor=none metal=yes cards=24 ipv4=64 efa=1 encrypts=yes ebs=60000 enclaves=unsupported
m8a.xlarge arch=x86_64 cpu=4 mib=16384 ghz=4.5 by=AMD cards=4 ipv4=20 encrypts=yes ebs=10000
m8azn.12xlarge arch=x86_64 cpu=48 mib=196608 ghz=5 by=AMD cards=16 ipv4=64 encrypts=yes ebs=30000
m8azn.24xlarge arch=x86_64 cpu=96 mib=393216 ghz=5 by=AMD cards=16 ipv4=64 efa=1 encrypts=yes ebs=60000
m8azn.3xlarge arch=x86_64 cpu=12 mib=49152 ghz=5 by=AMD cards=8 ipv4=40 encrypts=yes ebs=15000
m8azn.6xlarge arch=x86_64 cpu=24 mib=98304 ghz=5 by=AMD cards=8 ipv4=40 encrypts=yes ebs=15000
m8azn.large arch=x86_64 cpu=2 mib=8192 ghz=5 by=AMD cards=4 ipv4=20 encrypts=yes ebs=15000
m8azn.medium arch=x86_64 cpu=1 mib=4096 ghz=5 by=AMD cards=3 ipv4=4 encrypts=yes ebs=15000 enclaves=unsupported
m8azn.metal-12xl arch=x86_64 cpu=48 mib=196608 ghz=5 by=AMD hypervisor=none metal=yes cards=16 ipv4=64 encrypts=yes ebs=30000 enclaves=unsupported
m8azn.metal-24xl arch=x86_64 cpu=96 mib=393216 ghz=5 by=AMD hypervisor=none metal=yes cards=16 ipv4=64 efa=1 encrypts=yes ebs=60000 enclaves=unsupported
m8azn.xlarge arch=x86_64 cpu=4 mib=16384 ghz=5 by=AMD cards=4 ipv4=20 encrypts=yes ebs=15000
m8g.12xlarge arch=arm64 cpu=48 mib=196608 ghz=2.8 by=AWS cards=8 ipv4=30 encrypts=yes ebs=15000
m8g.16xlarge arch=arm64 cpu=64 mib=262144 ghz=2.8 by=AWS cards=15 ipv4=50 encrypts=yes ebs=20000
m8g.24xlarge arch=arm64 cpu=96 mib=393216 ghz=2.8 by=AWS cards=15 ipv4=50 efa=1 encrypts=yes ebs=30000
m8g.2xlarge arch=arm64 cpu=8 mib=32768 ghz=2.8 by=AWS cards=4 ipv4=15 encrypts=yes ebs=10000
m8g.48xlarge arch=arm64 cpu=192 mib=786432 ghz=2.7 by=AWS cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000
m8g.4xlarge arch=arm64 cpu=16 mib=65536 ghz=2.8 by=AWS cards=8 ipv4=30 encrypts=yes ebs=10000
m8g.8xlarge arch=arm64 cpu=32 mib=131072 ghz=2.8 by=AWS cards=8 ipv4=30 encrypts=yes ebs=10000
m8g.large arch=arm64 cpu=2 mib=8192 ghz=2.8 by=AWS cards=3 ipv4=10 encrypts=yes ebs=10000
m8g.medium arch=arm64 cpu=1 mib=4096 ghz=2.8 by=AWS cards=2 ipv4=4 encrypts=yes ebs=10000 enclaves=unsupported
m8g.metal-24xl arch=arm64 cpu=96 mib=393216 ghz=2.8 by=AWS hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=30000 enclaves=unsupported
m8g.metal-48xl arch=arm64 cpu=192 mib=786432 ghz=2.7 by=AWS hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000 enclaves=unsupported
m8g.xlarge arch=arm64 cpu=4 mib=16384 ghz=2.8 by=AWS cards=4 ipv4=15 encrypts=yes ebs=10000
m8gb.12xlarge arch=arm64 cpu=48 mib=196608 ghz=2.8 by=AWS cards=12 ipv4=30 encrypts=yes ebs=75000
m8gb.16xlarge arch=arm64 cpu=64 mib=262144 ghz=2.8 by=AWS cards=16 ipv4=50 efa=1 encrypts=yes ebs=100000
m8gb.24xlarge arch=arm64 cpu=96 mib=393216 ghz=2.8 by=AWS cards=24 ipv4=50 efa=1 encrypts=yes ebs=150000
m8gb.2xlarge arch=arm64 cpu=8 mib=32768 ghz=2.8 by=AWS cards=4 ipv4=15 encrypts=yes ebs=25000
m8gb.48xlarge arch=arm64 cpu=192 mib=786432 ghz=2.7 by=AWS cards=12,12 ipv4=50 efa=2 encrypts=yes ebs=300000
m8gb.4xlarge arch=arm64 cpu=16 mib=65536 ghz=2.8 by=AWS cards=8 ipv4=30 encrypts=yes ebs=25000
m8gb.8xlarge arch=arm64 cpu=32 mib=131072 ghz=2.8 by=AWS cards=10 ipv4=30 encrypts=yes ebs=50000
m8gb.large arch=arm64 cpu=2 mib=8192 ghz=2.8 by=AWS cards=3 ipv4=10 encrypts=yes ebs=25000
m8gb.medium arch=arm64 cpu=1 mib=4096 ghz=2.8 by=AWS cards=2 ipv4=4 encrypts=yes ebs=25000 enclaves=unsupported
m8gb.metal-24xl arch=arm64 cpu=96 mib=393216 ghz=2.8 by=AWS hypervisor=none metal=yes cards=24 ipv4=50 efa=1 encrypts=yes ebs=150000 enclaves=unsupported
m8gb.metal-48xl arch=arm64 cpu=192 mib=786432 ghz=2.7 by=AWS hypervisor=none metal=yes cards=12,12 ipv4=50 efa=2 encrypts=yes ebs=300000 enclaves=unsupported
m8gb.xlarge arch=arm64 cpu=4 mib=16384 ghz=2.8 by=AWS cards=4 ipv4=15 encrypts=yes ebs=25000
m8gd.12xlarge arch=arm64 cpu=48 mib=196608 ghz=2.8 by=AWS cards=8 ipv4=30 encrypts=yes ebs=15000 store=2850/required
m8gd.16xlarge arch=arm64 cpu=64 mib=262144 ghz=2.8 by=AWS cards=15 ipv4=50 encrypts=yes ebs=20000 store=3800/required
m8gd.24xlarge arch=arm64 cpu=96 mib=393216 ghz=2.8 by=AWS cards=15 ipv4=50 efa=1 encrypts=yes ebs=30000 store=5700/required
m8gd.2xlarge arch=arm64 cpu=8 mib=32768 ghz=2.8 by=AWS cards=4 ipv4=15 encrypts=yes ebs=10000 store=474/required
m8gd.48xlarge arch=arm64 cpu=192 mib=786432 ghz=2.7 by=AWS cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000 store=11400/required
m8gd.4xlarge arch=arm64 cpu=16 mib=65536 ghz=2.8 by=AWS cards=8 ipv4=30 encrypts=yes ebs=10000 store=950/required
m8gd.8xlarge arch=arm64 cpu=32 mib=131072 ghz=2.8 by=AWS cards=8 ipv4=30 encrypts=yes ebs=10000 store=1900/required
m8gd.large arch=arm64 cpu=2 mib=8192 ghz=2.8 by=AWS cards=3 ipv4=10 encrypts=yes ebs=10000 store=118/required
m8gd.medium arch=arm64 cpu=1 mib=4096 ghz=2.8 by=AWS cards=2 ipv4=4 encrypts=yes ebs=10000 store=59/required enclaves=unsupported
m8gd.metal-24xl arch=arm64 cpu=96 mib=393216 ghz=2.8 by=AWS hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=30000 store=5700/required enclaves=unsupported
m8gd.metal-48xl arch=arm64 cpu=192 mib=786432 ghz=2.7 by=AWS hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000 store=11400/required enclaves=unsupported
m8gd.xlarge arch=arm64 cpu=4 mib=16384 ghz=2.8 by=AWS cards=4 ipv4=15 encrypts=yes ebs=10000 store=237/required
m8gn.12xlarge arch=arm64 cpu=48 mib=196608 ghz=2.8 by=AWS cards=12 ipv4=30 encrypts=yes ebs=30000
m8gn.16xlarge arch=arm64 cpu=64 mib=262144 ghz=2.8 by=AWS cards=16 ipv4=50 efa=1 encrypts=yes ebs=40000
m8gn.24xlarge arch=arm64 cpu=96 mib=393216 ghz=2.8 by=AWS cards=24 ipv4=50 efa=1 encrypts=yes ebs=60000
m8gn.2xlarge arch=arm64 cpu=8 mib=32768 ghz=2.8 by=AWS cards=4 ipv4=15 encrypts=yes ebs=10000
m8gn.48xlarge arch=arm64 cpu=192 mib=786432 ghz=2.7 by=AWS cards=12,12 ipv4=50 efa=2 encrypts=yes ebs=120000
m8gn.4xlarge arch=arm64 cpu=16 mib=65536 ghz=2.8 by=AWS cards=8 ipv4=30 encrypts=yes ebs=10000
m8gn.8xlarge arch=arm64 cpu=32 mib=131072 ghz=2.8 by=AWS cards=10 ipv4=30 encrypts=yes ebs=20000
m8gn.large arch=arm64 cpu=2 mib=8192 ghz=2.8 by=AWS cards=3 ipv4=10 encrypts=yes ebs=10000
m8gn.medium arch=arm64 cpu=1 mib=4096 ghz=2.8 by=AWS cards=2 ipv4=4 encrypts=yes ebs=10000 enclaves=unsupported
m8gn.metal-24xl arch=arm64 cpu=96 mib=393216 ghz=2.8 by=AWS hypervisor=none metal=yes cards=24 ipv4=50 efa=1 encrypts=yes ebs=60000 enclaves=unsupported
m8gn.metal-48xl arch=arm64 cpu=192 mib=786432 ghz=2.7 by=AWS hypervisor=none metal=yes cards=12,12 ipv4=50 efa=2 encrypts=yes ebs=120000 enclaves=unsupported
m8gn.xlarge arch=arm64 cpu=4 mib=16384 ghz=2.8 by=AWS cards=4 ipv4=15 encrypts=yes ebs=10000
m8i-flex.12xlarge arch=x86_64 cpu=48 mib=196608 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=12 ipv4=50 encrypts=yes ebs=15000 group=partition,spread enclaves=unsupported
m8i-flex.16xlarge arch=x86_64 cpu=64 mib=262144 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=16 ipv4=64 encrypts=yes ebs=20000 group=partition,spread enclaves=unsupported
m8i-flex.2xlarge arch=x86_64 cpu=8 mib=32768 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=4 ipv4=30 encrypts=yes ebs=10000 group=partition,spread enclaves=unsupported
m8i-flex.4xlarge arch=x86_64 cpu=16 mib=65536 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=8 ipv4=50 encrypts=yes ebs=10000 group=partition,spread enclaves=unsupported
m8i-flex.8xlarge arch=x86_64 cpu=32 mib=131072 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=10 ipv4=50 encrypts=yes ebs=10000 group=partition,spread enclaves=unsupported
m8i-flex.large arch=x86_64 cpu=2 mib=8192 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=3 ipv4=20 encrypts=yes ebs=10000 group=partition,spread enclaves=unsupported
m8i-flex.xlarge arch=x86_64 cpu=4 mib=16384 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=4 ipv4=30 encrypts=yes ebs=10000 group=partition,spread enclaves=unsupported
m8i.12xlarge arch=x86_64 cpu=48 mib=196608 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=12 ipv4=50 encrypts=yes ebs=15000
m8i.16xlarge arch=x86_64 cpu=64 mib=262144 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=16 ipv4=64 encrypts=yes ebs=20000
m8i.24xlarge arch=x86_64 cpu=96 mib=393216 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=16 ipv4=64 encrypts=yes ebs=30000
m8i.2xlarge arch=x86_64 cpu=8 mib=32768 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=4 ipv4=30 encrypts=yes ebs=10000
m8i.32xlarge arch=x86_64 cpu=128 mib=524288 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=24 ipv4=64 encrypts=yes ebs=40000
m8i.48xlarge arch=x86_64 cpu=192 mib=786432 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=24 ipv4=64 efa=1 encrypts=yes ebs=60000
m8i.4xlarge arch=x86_64 cpu=16 mib=65536 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=8 ipv4=50 encrypts=yes ebs=10000
m8i.8xlarge arch=x86_64 cpu=32 mib=131072 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=10 ipv4=50 encrypts=yes ebs=10000
m8i.96xlarge arch=x86_64 cpu=384 mib=1572864 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=24 ipv4=64 efa=1 encrypts=yes ebs=80000
m8i.large arch=x86_64 cpu=2 mib=8192 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=3 ipv4=20 encrypts=yes ebs=10000 enclaves=unsupported
m8i.metal-48xl arch=x86_64 cpu=192 mib=786432 ghz=3.9 by=Intel hypervisor=none metal=yes cards=24 ipv4=64 efa=1 encrypts=yes ebs=60000 enclaves=unsupported
m8i.metal-96xl arch=x86_64 cpu=384 mib=1572864 ghz=3.9 by=Intel hypervisor=none metal=yes cards=24 ipv4=64 efa=1 encrypts=yes ebs=80000 enclaves=unsupported
m8i.xlarge arch=x86_64 cpu=4 mib=16384 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=4 ipv4=30 encrypts=yes ebs=10000
m8ib.12xlarge arch=x86_64 cpu=48 mib=196608 ghz=3.9 by=Intel cards=12 ipv4=50 encrypts=yes ebs=37500
m8ib.16xlarge arch=x86_64 cpu=64 mib=262144 ghz=3.9 by=Intel cards=16 ipv4=64 encrypts=yes ebs=50000
m8ib.24xlarge arch=x86_64 cpu=96 mib=393216 ghz=3.9 by=Intel cards=16 ipv4=64 encrypts=yes ebs=75000
m8ib.2xlarge arch=x86_64 cpu=8 mib=32768 ghz=3.9 by=Intel cards=4 ipv4=30 encrypts=yes ebs=25000
m8ib.32xlarge arch=x86_64 cpu=128 mib=524288 ghz=3.9 by=Intel cards=16 ipv4=64 encrypts=yes ebs=100000
m8ib.48xlarge arch=x86_64 cpu=192 mib=786432 ghz=3.9 by=Intel cards=24 ipv4=64 efa=1 encrypts=yes ebs=150000
m8ib.4xlarge arch=x86_64 cpu=16 mib=65536 ghz=3.9 by=Intel cards=8 ipv4=50 encrypts=yes ebs=25000
m8ib.8xlarge arch=x86_64 cpu=32 mib=131072 ghz=3.9 by=Intel cards=8 ipv4=50 encrypts=yes ebs=25000
m8ib.96xlarge arch=x86_64 cpu=384 mib=1572864 ghz=3.9 by=Intel cards=12,12 ipv4=64 efa=2 encrypts=yes ebs=300000
m8ib.large arch=x86_64 cpu=2 mib=8192 ghz=3.9 by=Intel cards=4 ipv4=20 encrypts=yes ebs=25000 enclaves=unsupported
m8ib.metal-48xl arch=x86_64 cpu=192 mib=786432 ghz=3.9 by=Intel hypervisor=none metal=yes cards=24 ipv4=64 efa=1 encrypts=yes ebs=150000 enclaves=unsupported
m8ib.metal-96xl arch=x86_64 cpu=384 mib=1572864 ghz=3.9 by=Intel hypervisor=none metal=yes cards=12,12 ipv4=64 efa=2 encrypts=yes ebs=300000 enclaves=unsupported
m8ib.xlarge arch=x86_64 cpu=4 mib=16384 ghz=3.9 by=Intel cards=4 ipv4=30 encrypts=yes ebs=25000
m8id.12xlarge arch=x86_64 cpu=48 mib=196608 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=12 ipv4=50 encrypts=yes ebs=15000 store=2850/required
m8id.16xlarge arch=x86_64 cpu=64 mib=262144 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=16 ipv4=64 encrypts=yes ebs=20000 store=3800/required
m8id.24xlarge arch=x86_64 cpu=96 mib=393216 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=16 ipv4=64 encrypts=yes ebs=30000 store=5700/required
m8id.2xlarge arch=x86_64 cpu=8 mib=32768 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=4 ipv4=30 encrypts=yes ebs=10000 store=474/required
m8id.32xlarge arch=x86_64 cpu=128 mib=524288 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=24 ipv4=64 encrypts=yes ebs=40000 store=7600/required
m8id.48xlarge arch=x86_64 cpu=192 mib=786432 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=24 ipv4=64 efa=1 encrypts=yes ebs=60000 store=11400/required
m8id.4xlarge arch=x86_64 cpu=16 mib=65536 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=8 ipv4=50 encrypts=yes ebs=10000 store=950/required
m8id.8xlarge arch=x86_64 cpu=32 mib=131072 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=10 ipv4=50 encrypts=yes ebs=10000 store=1900/required
m8id.96xlarge arch=x86_64 cpu=384 mib=1572864 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=24 ipv4=64 efa=1 encrypts=yes ebs=80000 store=22800/required
m8id.large arch=x86_64 cpu=2 mib=8192 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=3 ipv4=20 encrypts=yes ebs=10000 store=118/required enclaves=unsupported
m8id.metal-48xl arch=x86_64 cpu=192 mib=786432 ghz=3.9 by=Intel hypervisor=none metal=yes cards=24 ipv4=64 efa=1 encrypts=yes ebs=60000 store=11400/required enclaves=unsupported
m8id.metal-96xl arch=x86_64 cpu=384 mib=1572864 ghz=3.9 by=Intel hypervisor=none metal=yes cards=24 ipv4=64 efa=1 encrypts=yes ebs=80000 store=22800/required enclaves=unsupported
m8id.xlarge arch=x86_64 cpu=4 mib=16384 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=4 ipv4=30 encrypts=yes ebs=10000 store=237/required
m8idb.12xlarge arch=x86_64 cpu=48 mib=196608 ghz=3.9 by=Intel cards=12 ipv4=50 encrypts=yes ebs=37500 store=2850/required
m8idb.16xlarge arch=x86_64 cpu=64 mib=262144 ghz=3.9 by=Intel cards=16 ipv4=64 encrypts=yes ebs=50000 store=3800/required
m8idb.24xlarge arch=x86_64 cpu=96 mib=393216 ghz=3.9 by=Intel cards=16 ipv4=64 encrypts=yes ebs=75000 store=5700/required
m8idb.2xlarge arch=x86_64 cpu=8 mib=32768 ghz=3.9 by=Intel cards=4 ipv4=30 encrypts=yes ebs=25000 store=474/required
m8idb.32xlarge arch=x86_64 cpu=128 mib=524288 ghz=3.9 by=Intel cards=16 ipv4=64 encrypts=yes ebs=100000 store=7600/required
m8idb.48xlarge arch=x86_64 cpu=192 mib=786432 ghz=3.9 by=Intel cards=24 ipv4=64 efa=1 encrypts=yes ebs=150000 store=11400/required
m8idb.4xlarge arch=x86_64 cpu=16 mib=65536 ghz=3.9 by=Intel cards=8 ipv4=50 encrypts=yes ebs=25000 store=950/required
m8idb.8xlarge arch=x86_64 cpu=32 mib=131072 ghz=3.9 by=Intel cards=8 ipv4=50 encrypts=yes ebs=25000 store=1900/required
m8idb.96xlarge arch=x86_64 cpu=384 mib=1572864 ghz=3.9 by=Intel cards=12,12 ipv4=64 efa=2 encrypts=yes ebs=300000 store=22800/required
m8idb.large arch=x86_64 cpu=2 mib=8192 ghz=3.9 by=Intel cards=4 ipv4=20 encrypts=yes ebs=25000 store=118/required enclaves=unsupported
m8idb.metal-48xl arch=x86_64 cpu=192 mib=786432 ghz=3.9 by=Intel hypervisor=none metal=yes cards=24 ipv4=64 efa=1 encrypts=yes ebs=150000 store=11400/required enclaves=unsupported
m8idb.metal-96xl arch=x86_64 cpu=384 mib=1572864 ghz=3.9 by=Intel hypervisor=none metal=yes cards=12,12 ipv4=64 efa=2 encrypts=yes ebs=300000 store=22800/required enclaves=unsupported
m8idb.xlarge arch=x86_64 cpu=4 mib=16384 ghz=3.9 by=Intel cards=4 ipv4=30 encrypts=yes ebs=25000 store=237/required
m8idn.12xlarge arch=x86_64 cpu=48 mib=196608 ghz=3.9 by=Intel cards=12 ipv4=50 encrypts=yes ebs=15000 store=2850/required
m8idn.16xlarge arch=x86_64 cpu=64 mib=262144 ghz=3.9 by=Intel cards=16 ipv4=64 encrypts=yes ebs=20000 store=3800/required
m8idn.24xlarge arch=x86_64 cpu=96 mib=393216 ghz=3.9 by=Intel cards=16 ipv4=64 encrypts=yes ebs=30000 store=5700/required
m8idn.2xlarge arch=x86_64 cpu=8 mib=32768 ghz=3.9 by=Intel cards=4 ipv4=30 encrypts=yes ebs=10000 store=474/required
m8idn.32xlarge arch=x86_64 cpu=128 mib=524288 ghz=3.9 by=Intel cards=16 ipv4=64 encrypts=yes ebs=40000 store=7600/required
m8idn.48xlarge arch=x86_64 cpu=192 mib=786432 ghz=3.9 by=Intel cards=24 ipv4=64 efa=1 encrypts=yes ebs=60000 store=11400/required
m8idn.4xlarge arch=x86_64 cpu=16 mib=65536 ghz=3.9 by=Intel cards=8 ipv4=50 encrypts=yes ebs=10000 store=950/required
m8idn.8xlarge arch=x86_64 cpu=32 mib=131072 ghz=3.9 by=Intel cards=8 ipv4=50 encrypts=yes ebs=10000 store=1900/required
m8idn.96xlarge arch=x86_64 cpu=384 mib=1572864 ghz=3.9 by=Intel cards=12,12 ipv4=64 efa=2 encrypts=yes ebs=120000 store=22800/required
m8idn.large arch=x86_64 cpu=2 mib=8192 ghz=3.9 by=Intel cards=4 ipv4=20 encrypts=yes ebs=10000 store=118/required enclaves=unsupported
m8idn.metal-48xl arch=x86_64 cpu=192 mib=786432 ghz=3.9 by=Intel hypervisor=none metal=yes cards=24 ipv4=64 efa=1 encrypts=yes ebs=60000 store=11400/required enclaves=unsupported
m8idn.metal-96xl arch=x86_64 cpu=384 mib=1572864 ghz=3.9 by=Intel hypervisor=none metal=yes cards=12,12 ipv4=64 efa=2 encrypts=yes ebs=120000 store=22800/required enclaves=unsupported
m8idn.xlarge arch=x86_64 cpu=4 mib=16384 ghz=3.9 by=Intel cards=4 ipv4=30 encrypts=yes ebs=10000 store=237/required
m8in.12xlarge arch=x86_64 cpu=48 mib=196608 ghz=3.9 by=Intel cards=12 ipv4=50 encrypts=yes ebs=15000
m8in.16xlarge arch=x86_64 cpu=64 mib=262144 ghz=3.9 by=Intel cards=16 ipv4=64 encrypts=yes ebs=20000
m8in.24xlarge arch=x86_64 cpu=96 mib=393216 ghz=3.9 by=Intel cards=16 ipv4=64 encrypts=yes ebs=30000
m8in.2xlarge arch=x86_64 cpu=8 mib=32768 ghz=3.9 by=Intel cards=4 ipv4=30 encrypts=yes ebs=10000
m8in.32xlarge arch=x86_64 cpu=128 mib=524288 ghz=3.9 by=Intel cards=16 ipv4=64 encrypts=yes ebs=40000
m8in.48xlarge arch=x86_64 cpu=192 mib=786432 ghz=3.9 by=Intel cards=24 ipv4=64 efa=1 encrypts=yes ebs=60000
m8in.4xlarge arch=x86_64 cpu=16 mib=65536 ghz=3.9 by=Intel cards=8 ipv4=50 encrypts=yes ebs=10000
m8in.8xlarge arch=x86_64 cpu=32 mib=131072 ghz=3.9 by=Intel cards=8 ipv4=50 encrypts=yes ebs=10000
m8in.96xlarge arch=x86_64 cpu=384 mib=1572864 ghz=3.9 by=Intel cards=12,12 ipv4=64 efa=2 encrypts=yes ebs=120000
m8in.large arch=x86_64 cpu=2 mib=8192 ghz=3.9 by=Intel cards=4 ipv4=20 encrypts=yes ebs=10000 enclaves=unsupported
m8in.metal-48xl arch=x86_64 cpu=192 mib=786432 ghz=3.9 by=Intel hypervisor=none metal=yes cards=24 ipv4=64 efa=1 encrypts=yes ebs=60000 enclaves=unsupported
m8in.metal-96xl arch=x86_64 cpu=384 mib=1572864 ghz=3.9 by=Intel hypervisor=none metal=yes cards=12,12 ipv4=64 efa=2 encrypts=yes ebs=120000 enclaves=unsupported
m8in.xlarge arch=x86_64 cpu=4 mib=16384 ghz=3.9 by=Intel cards=4 ipv4=30 encrypts=yes ebs=10000
m8ine.12xlarge arch=x86_64 cpu=48 mib=196608 ghz=3.9 by=Intel cards=12 ipv4=50 encrypts=yes ebs=15000
m8ine.2xlarge arch=x86_64 cpu=8 mib=32768 ghz=3.9 by=Intel cards=4 ipv4=30 encrypts=yes ebs=10000
m8ine.4xlarge arch=x86_64 cpu=16 mib=65536 ghz=3.9 by=Intel cards=8 ipv4=50 encrypts=yes ebs=10000
m8ine.8xlarge arch=x86_64 cpu=32 mib=131072 ghz=3.9 by=Intel cards=8 ipv4=50 encrypts=yes ebs=10000
m8ine.large arch=x86_64 cpu=2 mib=8192 ghz=3.9 by=Intel cards=4 ipv4=20 encrypts=yes ebs=10000 enclaves=unsupported
m8ine.xlarge arch=x86_64 cpu=4 mib=16384 ghz=3.9 by=Intel cards=4 ipv4=30 encrypts=yes ebs=10000
m9g.12xlarge arch=arm64 cpu=48 mib=196608 ghz=3.3 by=AWS cards=12 ipv4=50 encrypts=yes ebs=18000
m9g.16xlarge arch=arm64 cpu=64 mib=262144 ghz=3.3 by=AWS cards=16 ipv4=64 encrypts=yes ebs=24000
m9g.24xlarge arch=arm64 cpu=96 mib=393216 ghz=3.3 by=AWS cards=24 ipv4=64 encrypts=yes ebs=36000
m9g.2xlarge arch=arm64 cpu=8 mib=32768 ghz=3.3 by=AWS cards=4 ipv4=30 encrypts=yes ebs=12000
m9g.48xlarge arch=arm64 cpu=192 mib=786432 ghz=3.3 by=AWS cards=24 ipv4=64 efa=1 encrypts=yes ebs=72000
m9g.4xlarge arch=arm64 cpu=16 mib=65536 ghz=3.3 by=AWS cards=8 ipv4=50 encrypts=yes ebs=12000
m9g.8xlarge arch=arm64 cpu=32 mib=131072 ghz=3.3 by=AWS cards=10 ipv4=50 encrypts=yes ebs=12000
m9g.large arch=arm64 cpu=2 mib=8192 ghz=3.3 by=AWS cards=3 ipv4=20 encrypts=yes ebs=12000
m9g.medium arch=arm64 cpu=1 mib=4096 ghz=3.3 by=AWS cards=2 ipv4=20 encrypts=yes ebs=12000 enclaves=unsupported
m9g.metal-48xl arch=arm64 cpu=192 mib=786432 ghz=3.3 by=AWS hypervisor=none metal=yes cards=24 ipv4=64 efa=1 encrypts=yes ebs=72000 enclaves=unsupported
m9g.xlarge arch=arm64 cpu=4 mib=16384 ghz=3.3 by=AWS cards=4 ipv4=30 encrypts=yes ebs=12000
m9gd.12xlarge arch=arm64 cpu=48 mib=196608 ghz=3.3 by=AWS cards=12 ipv4=50 encrypts=yes ebs=18000 store=2850/required
m9gd.16xlarge arch=arm64 cpu=64 mib=262144 ghz=3.3 by=AWS cards=16 ipv4=64 encrypts=yes ebs=24000 store=3800/required
m9gd.24xlarge arch=arm64 cpu=96 mib=393216 ghz=3.3 by=AWS cards=24 ipv4=64 encrypts=yes ebs=36000 store=5700/required
m9gd.2xlarge arch=arm64 cpu=8 mib=32768 ghz=3.3 by=AWS cards=4 ipv4=30 encrypts=yes ebs=12000 store=474/required
m9gd.48xlarge arch=arm64 cpu=192 mib=786432 ghz=3.3 by=AWS cards=24 ipv4=64 efa=1 encrypts=yes ebs=72000 store=11400/required
m9gd.4xlarge arch=arm64 cpu=16 mib=65536 ghz=3.3 by=AWS cards=8 ipv4=50 encrypts=yes ebs=12000 store=950/required
m9gd.8xlarge arch=arm64 cpu=32 mib=131072 ghz=3.3 by=AWS cards=10 ipv4=50 encrypts=yes ebs=12000 store=1900/required
m9gd.large arch=arm64 cpu=2 mib=8192 ghz=3.3 by=AWS cards=3 ipv4=20 encrypts=yes ebs=12000 store=118/required
m9gd.medium arch=arm64 cpu=1 mib=4096 ghz=3.3 by=AWS cards=2 ipv4=20 encrypts=yes ebs=12000 store=59/required enclaves=unsupported
m9gd.metal-48xl arch=arm64 cpu=192 mib=786432 ghz=3.3 by=AWS hypervisor=none metal=yes cards=24 ipv4=64 efa=1 encrypts=yes ebs=72000 store=11400/required enclaves=unsupported
m9gd.xlarge arch=arm64 cpu=4 mib=16384 ghz=3.3 by=AWS cards=4 ipv4=30 encrypts=yes ebs=12000 store=237/required
p3dn.24xlarge arch=x86_64 cpu=96 mib=786432 ghz=2.5 by=Intel cards=15 ipv4=50 efa=1 encrypts=yes ebs=19000 store=1800/required gpu=NVIDIA/V100/8/32768
p4d.24xlarge arch=x86_64 cpu=96 mib=1179648 ghz=3 by=Intel buy=capacity-block,on-demand,spot cards=15,15,15,15 ipv4=50 efa=4 encrypts=yes ebs=19000 store=8000/required gpu=NVIDIA/A100/8/40960
p4de.24xlarge arch=x86_64 cpu=96 mib=1179648 ghz=3 by=Intel buy=capacity-block,on-demand,spot cards=15,15,15,15 ipv4=50 efa=4 encrypts=yes ebs=19000 store=8000/required gpu=NVIDIA/A100/8/81920
p5.48xlarge arch=x86_64 cpu=192 mib=2097152 ghz=3.6 by=AMD buy=capacity-block,on-demand,spot cards=2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2 ipv4=50 efa=32 encrypts=yes ebs=80000 store=30400/required gpu=NVIDIA/H100/8/81920
p5.4xlarge arch=x86_64 cpu=16 mib=262144 ghz=3.6 by=AMD buy=capacity-block,on-demand,spot cards=4 ipv4=30 efa=1 encrypts=yes ebs=10000 store=3800/required gpu=NVIDIA/H100/1/81920
p5e.48xlarge arch=x86_64 cpu=192 mib=2097152 ghz=3.6 by=AMD buy=capacity-block,on-demand,spot cards=2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2 ipv4=50 efa=32 encrypts=yes ebs=80000 store=30400/required gpu=NVIDIA/H200/8/144384
p5en.48xlarge arch=x86_64 cpu=192 mib=2097152 ghz=2.4 by=Intel buy=capacity-block,on-demand,spot cards=4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4 ipv4=50 efa=16 encrypts=yes ebs=100000 store=30400/required gpu=NVIDIA/H200/8/144384
p6-b200.48xlarge arch=x86_64 cpu=192 mib=2097152 ghz=2.4 by=Intel buy=capacity-block,on-demand,spot cards=4,4,4,4,4,4,4,4 ipv4=50 efa=8 encrypts=yes ebs=100000 store=30400/required gpu=NVIDIA/B200/8/183359 enclaves=unsupported
p6-b300.48xlarge arch=x86_64 cpu=192 mib=4194304 ghz=2.4 by=Intel buy=capacity-block,on-demand,spot cards=4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4 ipv4=50 efa=16 encrypts=yes ebs=100000 store=30400/required gpu=NVIDIA/B300/8/275040
r3.2xlarge arch=x86_64 cpu=8 mib=62464 ghz=2.5 by=Intel hypervisor=xen cards=4 ipv4=15 ena=unsupported optimized=supported ebs=1000 store=160/unsupported enclaves=unsupported
r3.4xlarge arch=x86_64 cpu=16 mib=124928 ghz=2.5 by=Intel hypervisor=xen cards=8 ipv4=30 ena=unsupported optimized=supported ebs=2000 store=320/unsupported enclaves=unsupported
r3.8xlarge arch=x86_64 cpu=32 mib=249856 ghz=2.5 by=Intel hypervisor=xen cards=8 ipv4=30 ena=unsupported optimized=unsupported store=640/unsupported enclaves=unsupported
r3.large arch=x86_64 cpu=2 mib=15360 ghz=2.5 by=Intel hypervisor=xen cards=3 ipv4=10 ena=unsupported optimized=unsupported store=32/unsupported enclaves=unsupported
r3.xlarge arch=x86_64 cpu=4 mib=31232 ghz=2.5 by=Intel hypervisor=xen cards=4 ipv4=15 ena=unsupported optimized=supported ebs=500 store=80/unsupported enclaves=unsupported
r4.16xlarge arch=x86_64 cpu=64 mib=499712 ghz=2.3 by=Intel hypervisor=xen cards=15 ipv4=50 ena=supported ebs=14000 enclaves=unsupported
r4.2xlarge arch=x86_64 cpu=8 mib=62464 ghz=2.3 by=Intel hypervisor=xen cards=4 ipv4=15 ena=supported ebs=1700 enclaves=unsupported
r4.4xlarge arch=x86_64 cpu=16 mib=124928 ghz=2.3 by=Intel hypervisor=xen cards=8 ipv4=30 ena=supported ebs=3500 enclaves=unsupported
r4.8xlarge arch=x86_64 cpu=32 mib=249856 ghz=2.3 by=Intel hypervisor=xen cards=8 ipv4=30 ena=supported ebs=7000 enclaves=unsupported
r4.large arch=x86_64 cpu=2 mib=15616 ghz=2.3 by=Intel hypervisor=xen cards=3 ipv4=10 ena=supported ebs=425 enclaves=unsupported
r4.xlarge arch=x86_64 cpu=4 mib=31232 ghz=2.3 by=Intel hypervisor=xen cards=4 ipv4=15 ena=supported ebs=850 enclaves=unsupported
r5.12xlarge arch=x86_64 cpu=48 mib=393216 ghz=3.1 by=Intel cards=8 ipv4=30 ebs=9500
r5.16xlarge arch=x86_64 cpu=64 mib=524288 ghz=3.1 by=Intel cards=15 ipv4=50 ebs=13600
r5.24xlarge arch=x86_64 cpu=96 mib=786432 ghz=3.1 by=Intel cards=15 ipv4=50 ebs=19000
r5.2xlarge arch=x86_64 cpu=8 mib=65536 ghz=3.1 by=Intel cards=4 ipv4=15 ebs=4750
r5.4xlarge arch=x86_64 cpu=16 mib=131072 ghz=3.1 by=Intel cards=8 ipv4=30 ebs=4750
r5.8xlarge arch=x86_64 cpu=32 mib=262144 ghz=3.1 by=Intel cards=8 ipv4=30 ebs=6800
r5.large arch=x86_64 cpu=2 mib=16384 ghz=3.1 by=Intel cards=3 ipv4=10 ebs=4750 enclaves=unsupported
r5.metal arch=x86_64 cpu=96 mib=786432 ghz=3.1 by=Intel hypervisor=none metal=yes cards=15 ipv4=50 ebs=19000 enclaves=unsupported
r5.xlarge arch=x86_64 cpu=4 mib=32768 ghz=3.1 by=Intel cards=4 ipv4=15 ebs=4750
r5a.12xlarge arch=x86_64 cpu=48 mib=393216 ghz=2.5 by=AMD cards=8 ipv4=30 ebs=6780
r5a.16xlarge arch=x86_64 cpu=64 mib=524288 ghz=2.5 by=AMD cards=15 ipv4=50 ebs=9500
r5a.24xlarge arch=x86_64 cpu=96 mib=786432 ghz=2.5 by=AMD cards=15 ipv4=50 ebs=13570
r5a.2xlarge arch=x86_64 cpu=8 mib=65536 ghz=2.5 by=AMD cards=4 ipv4=15 ebs=2880
r5a.4xlarge arch=x86_64 cpu=16 mib=131072 ghz=2.5 by=AMD cards=8 ipv4=30 ebs=2880
r5a.8xlarge arch=x86_64 cpu=32 mib=262144 ghz=2.5 by=AMD cards=8 ipv4=30 ebs=4750
r5a.large arch=x86_64 cpu=2 mib=16384 ghz=2.5 by=AMD cards=3 ipv4=10 ebs=2880 enclaves=unsupported
r5a.xlarge arch=x86_64 cpu=4 mib=32768 ghz=2.5 by=AMD cards=4 ipv4=15 ebs=2880
r5ad.12xlarge arch=x86_64 cpu=48 mib=393216 ghz=2.2 by=AMD cards=8 ipv4=30 ebs=6780 store=1800/required
r5ad.16xlarge arch=x86_64 cpu=64 mib=524288 ghz=2.5 by=AMD cards=15 ipv4=50 ebs=9500 store=2400/required
r5ad.24xlarge arch=x86_64 cpu=96 mib=786432 ghz=2.2 by=AMD cards=15 ipv4=50 ebs=13570 store=3600/required
r5ad.2xlarge arch=x86_64 cpu=8 mib=65536 ghz=2.2 by=AMD cards=4 ipv4=15 ebs=2880 store=300/required
r5ad.4xlarge arch=x86_64 cpu=16 mib=131072 ghz=2.2 by=AMD cards=8 ipv4=30 ebs=2880 store=600/required
r5ad.8xlarge arch=x86_64 cpu=32 mib=262144 ghz=2.5 by=AMD cards=8 ipv4=30 ebs=4750 store=1200/required
r5ad.large arch=x86_64 cpu=2 mib=16384 ghz=2.2 by=AMD cards=3 ipv4=10 ebs=2880 store=75/required enclaves=unsupported
r5ad.xlarge arch=x86_64 cpu=4 mib=32768 ghz=2.2 by=AMD cards=4 ipv4=15 ebs=2880 store=150/required
r5b.12xlarge arch=x86_64 cpu=48 mib=393216 ghz=3.1 by=Intel cards=8 ipv4=30 ebs=30000
r5b.16xlarge arch=x86_64 cpu=64 mib=524288 ghz=3.1 by=Intel cards=15 ipv4=50 ebs=40000
r5b.24xlarge arch=x86_64 cpu=96 mib=786432 ghz=3.1 by=Intel cards=15 ipv4=50 ebs=60000
r5b.2xlarge arch=x86_64 cpu=8 mib=65536 ghz=3.1 by=Intel cards=4 ipv4=15 ebs=10000
r5b.4xlarge arch=x86_64 cpu=16 mib=131072 ghz=3.1 by=Intel cards=8 ipv4=30 ebs=10000
r5b.8xlarge arch=x86_64 cpu=32 mib=262144 ghz=3.1 by=Intel cards=8 ipv4=30 ebs=20000
r5b.large arch=x86_64 cpu=2 mib=16384 ghz=3.1 by=Intel cards=3 ipv4=10 ebs=10000 enclaves=unsupported
r5b.metal arch=x86_64 cpu=96 mib=786432 ghz=3.1 by=Intel hypervisor=none metal=yes cards=15 ipv4=50 ebs=60000 enclaves=unsupported
r5b.xlarge arch=x86_64 cpu=4 mib=32768 ghz=3.1 by=Intel cards=4 ipv4=15 ebs=10000
r5d.12xlarge arch=x86_64 cpu=48 mib=393216 ghz=3.1 by=Intel cards=8 ipv4=30 ebs=9500 store=1800/required
r5d.16xlarge arch=x86_64 cpu=64 mib=524288 ghz=3.1 by=Intel cards=15 ipv4=50 ebs=13600 store=2400/required
r5d.24xlarge arch=x86_64 cpu=96 mib=786432 ghz=3.1 by=Intel cards=15 ipv4=50 ebs=19000 store=3600/required
r5d.2xlarge arch=x86_64 cpu=8 mib=65536 ghz=3.1 by=Intel cards=4 ipv4=15 ebs=4750 store=300/required
r5d.4xlarge arch=x86_64 cpu=16 mib=131072 ghz=3.1 by=Intel cards=8 ipv4=30 ebs=4750 store=600/required
r5d.8xlarge arch=x86_64 cpu=32 mib=262144 ghz=3.1 by=Intel cards=8 ipv4=30 ebs=6800 store=1200/required
r5d.large arch=x86_64 cpu=2 mib=16384 ghz=3.1 by=Intel cards=3 ipv4=10 ebs=4750 store=75/required enclaves=unsupported
r5d.metal arch=x86_64 cpu=96 mib=786432 ghz=3.1 by=Intel hypervisor=none metal=yes cards=15 ipv4=50 ebs=19000 store=3600/required enclaves=unsupported
r5d.xlarge arch=x86_64 cpu=4 mib=32768 ghz=3.1 by=Intel cards=4 ipv4=15 ebs=4750 store=150/required
r5dn.12xlarge arch=x86_64 cpu=48 mib=393216 ghz=3.1 by=Intel cards=8 ipv4=30 encrypts=yes ebs=9500 store=1800/required
r5dn.16xlarge arch=x86_64 cpu=64 mib=524288 ghz=3.1 by=Intel cards=15 ipv4=50 encrypts=yes ebs=13600 store=2400/required
r5dn.24xlarge arch=x86_64 cpu=96 mib=786432 ghz=3.1 by=Intel cards=15 ipv4=50 efa=1 encrypts=yes ebs=19000 store=3600/required
r5dn.2xlarge arch=x86_64 cpu=8 mib=65536 ghz=3.1 by=Intel cards=4 ipv4=15 encrypts=yes ebs=4750 store=300/required
r5dn.4xlarge arch=x86_64 cpu=16 mib=131072 ghz=3.1 by=Intel cards=8 ipv4=30 encrypts=yes ebs=4750 store=600/required
r5dn.8xlarge arch=x86_64 cpu=32 mib=262144 ghz=3.1 by=Intel cards=8 ipv4=30 encrypts=yes ebs=6800 store=1200/required
r5dn.large arch=x86_64 cpu=2 mib=16384 ghz=3.1 by=Intel cards=3 ipv4=10 encrypts=yes ebs=4750 store=75/required enclaves=unsupported
r5dn.metal arch=x86_64 cpu=96 mib=786432 ghz=3.1 by=Intel hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=19000 store=3600/required enclaves=unsupported
r5dn.xlarge arch=x86_64 cpu=4 mib=32768 ghz=3.1 by=Intel cards=4 ipv4=15 encrypts=yes ebs=4750 store=150/required
r5n.12xlarge arch=x86_64 cpu=48 mib=393216 ghz=3.1 by=Intel cards=8 ipv4=30 encrypts=yes ebs=9500
r5n.16xlarge arch=x86_64 cpu=64 mib=524288 ghz=3.1 by=Intel cards=15 ipv4=50 encrypts=yes ebs=13600
r5n.24xlarge arch=x86_64 cpu=96 mib=786432 ghz=3.1 by=Intel cards=15 ipv4=50 efa=1 encrypts=yes ebs=19000
r5n.2xlarge arch=x86_64 cpu=8 mib=65536 ghz=3.1 by=Intel cards=4 ipv4=15 encrypts=yes ebs=4750
r5n.4xlarge arch=x86_64 cpu=16 mib=131072 ghz=3.1 by=Intel cards=8 ipv4=30 encrypts=yes ebs=4750
r5n.8xlarge arch=x86_64 cpu=32 mib=262144 ghz=3.1 by=Intel cards=8 ipv4=30 encrypts=yes ebs=6800
r5n.large arch=x86_64 cpu=2 mib=16384 ghz=3.1 by=Intel cards=3 ipv4=10 encrypts=yes ebs=4750 enclaves=unsupported
r5n.metal arch=x86_64 cpu=96 mib=786432 ghz=3.1 by=Intel hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=19000 enclaves=unsupported
r5n.xlarge arch=x86_64 cpu=4 mib=32768 ghz=3.1 by=Intel cards=4 ipv4=15 encrypts=yes ebs=4750
r6a.12xlarge arch=x86_64 cpu=48 mib=393216 ghz=3.6 by=AMD cards=8 ipv4=30 encrypts=yes ebs=15000
r6a.16xlarge arch=x86_64 cpu=64 mib=524288 ghz=3.6 by=AMD cards=15 ipv4=50 encrypts=yes ebs=20000
r6a.24xlarge arch=x86_64 cpu=96 mib=786432 ghz=3.6 by=AMD cards=15 ipv4=50 encrypts=yes ebs=30000
r6a.2xlarge arch=x86_64 cpu=8 mib=65536 ghz=3.6 by=AMD can=amd-sev-snp cards=4 ipv4=15 encrypts=yes ebs=10000
r6a.32xlarge arch=x86_64 cpu=128 mib=1048576 ghz=3.6 by=AMD cards=15 ipv4=50 encrypts=yes ebs=40000
r6a.48xlarge arch=x86_64 cpu=192 mib=1572864 ghz=3.6 by=AMD cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000
r6a.4xlarge arch=x86_64 cpu=16 mib=131072 ghz=3.6 by=AMD can=amd-sev-snp cards=8 ipv4=30 encrypts=yes ebs=10000
r6a.8xlarge arch=x86_64 cpu=32 mib=262144 ghz=3.6 by=AMD cards=8 ipv4=30 encrypts=yes ebs=10000
r6a.large arch=x86_64 cpu=2 mib=16384 ghz=3.6 by=AMD can=amd-sev-snp cards=3 ipv4=10 encrypts=yes ebs=10000 enclaves=unsupported
r6a.metal arch=x86_64 cpu=192 mib=1572864 ghz=3.6 by=AMD hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000 enclaves=unsupported
r6a.xlarge arch=x86_64 cpu=4 mib=32768 ghz=3.6 by=AMD can=amd-sev-snp cards=4 ipv4=15 encrypts=yes ebs=10000
r6g.12xlarge arch=arm64 cpu=48 mib=393216 ghz=2.5 by=AWS cards=8 ipv4=30 ebs=14250
r6g.16xlarge arch=arm64 cpu=64 mib=524288 ghz=2.5 by=AWS cards=15 ipv4=50 ebs=19000
r6g.2xlarge arch=arm64 cpu=8 mib=65536 ghz=2.5 by=AWS cards=4 ipv4=15 ebs=4750
r6g.4xlarge arch=arm64 cpu=16 mib=131072 ghz=2.5 by=AWS cards=8 ipv4=30 ebs=4750
r6g.8xlarge arch=arm64 cpu=32 mib=262144 ghz=2.5 by=AWS cards=8 ipv4=30 ebs=9500
r6g.large arch=arm64 cpu=2 mib=16384 ghz=2.5 by=AWS cards=3 ipv4=10 ebs=4750
r6g.medium arch=arm64 cpu=1 mib=8192 ghz=2.5 by=AWS cards=2 ipv4=4 ebs=4750 enclaves=unsupported
r6g.metal arch=arm64 cpu=64 mib=524288 ghz=2.5 by=AWS hypervisor=none metal=yes cards=15 ipv4=50 ebs=19000 enclaves=unsupported
r6g.xlarge arch=arm64 cpu=4 mib=32768 ghz=2.5 by=AWS cards=4 ipv4=15 ebs=4750
r6gd.12xlarge arch=arm64 cpu=48 mib=393216 ghz=2.5 by=AWS cards=8 ipv4=30 ebs=14250 store=2850/required
r6gd.16xlarge arch=arm64 cpu=64 mib=524288 ghz=2.5 by=AWS cards=15 ipv4=50 ebs=19000 store=3800/required
r6gd.2xlarge arch=arm64 cpu=8 mib=65536 ghz=2.5 by=AWS cards=4 ipv4=15 ebs=4750 store=474/required
r6gd.4xlarge arch=arm64 cpu=16 mib=131072 ghz=2.5 by=AWS cards=8 ipv4=30 ebs=4750 store=950/required
r6gd.8xlarge arch=arm64 cpu=32 mib=262144 ghz=2.5 by=AWS cards=8 ipv4=30 ebs=9500 store=1900/required
r6gd.large arch=arm64 cpu=2 mib=16384 ghz=2.5 by=AWS cards=3 ipv4=10 ebs=4750 store=118/required
r6gd.medium arch=arm64 cpu=1 mib=8192 ghz=2.5 by=AWS cards=2 ipv4=4 ebs=4750 store=59/required enclaves=unsupported
r6gd.metal arch=arm64 cpu=64 mib=524288 ghz=2.5 by=AWS hypervisor=none metal=yes cards=15 ipv4=50 ebs=19000 store=3800/required enclaves=unsupported
r6gd.xlarge arch=arm64 cpu=4 mib=32768 ghz=2.5 by=AWS cards=4 ipv4=15 ebs=4750 store=237/required
r6i.12xlarge arch=x86_64 cpu=48 mib=393216 ghz=3.5 by=Intel cards=8 ipv4=30 encrypts=yes ebs=15000
r6i.16xlarge arch=x86_64 cpu=64 mib=524288 ghz=3.5 by=Intel cards=15 ipv4=50 encrypts=yes ebs=20000
r6i.24xlarge arch=x86_64 cpu=96 mib=786432 ghz=3.5 by=Intel cards=15 ipv4=50 encrypts=yes ebs=30000
r6i.2xlarge arch=x86_64 cpu=8 mib=65536 ghz=3.5 by=Intel cards=4 ipv4=15 encrypts=yes ebs=10000
r6i.32xlarge arch=x86_64 cpu=128 mib=1048576 ghz=3.5 by=Intel cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000
r6i.4xlarge arch=x86_64 cpu=16 mib=131072 ghz=3.5 by=Intel cards=8 ipv4=30 encrypts=yes ebs=10000
r6i.8xlarge arch=x86_64 cpu=32 mib=262144 ghz=3.5 by=Intel cards=8 ipv4=30 encrypts=yes ebs=10000
r6i.large arch=x86_64 cpu=2 mib=16384 ghz=3.5 by=Intel cards=3 ipv4=10 encrypts=yes ebs=10000 enclaves=unsupported
r6i.metal arch=x86_64 cpu=128 mib=1048576 ghz=3.5 by=Intel hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000 enclaves=unsupported
r6i.xlarge arch=x86_64 cpu=4 mib=32768 ghz=3.5 by=Intel cards=4 ipv4=15 encrypts=yes ebs=10000
r6id.12xlarge arch=x86_64 cpu=48 mib=393216 ghz=3.5 by=Intel cards=8 ipv4=30 encrypts=yes ebs=15000 store=2850/required
r6id.16xlarge arch=x86_64 cpu=64 mib=524288 ghz=3.5 by=Intel cards=15 ipv4=50 encrypts=yes ebs=20000 store=3800/required
r6id.24xlarge arch=x86_64 cpu=96 mib=786432 ghz=3.5 by=Intel cards=15 ipv4=50 encrypts=yes ebs=30000 store=5700/required
r6id.2xlarge arch=x86_64 cpu=8 mib=65536 ghz=3.5 by=Intel cards=4 ipv4=15 encrypts=yes ebs=10000 store=474/required
r6id.32xlarge arch=x86_64 cpu=128 mib=1048576 ghz=3.5 by=Intel cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000 store=7600/required
r6id.4xlarge arch=x86_64 cpu=16 mib=131072 ghz=3.5 by=Intel cards=8 ipv4=30 encrypts=yes ebs=10000 store=950/required
r6id.8xlarge arch=x86_64 cpu=32 mib=262144 ghz=3.5 by=Intel cards=8 ipv4=30 encrypts=yes ebs=10000 store=1900/required
r6id.large arch=x86_64 cpu=2 mib=16384 ghz=3.5 by=Intel cards=3 ipv4=10 encrypts=yes ebs=10000 store=118/required enclaves=unsupported
r6id.metal arch=x86_64 cpu=128 mib=1048576 ghz=3.5 by=Intel hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000 store=7600/required enclaves=unsupported
r6id.xlarge arch=x86_64 cpu=4 mib=32768 ghz=3.5 by=Intel cards=4 ipv4=15 encrypts=yes ebs=10000 store=237/required
r6idn.12xlarge arch=x86_64 cpu=48 mib=393216 ghz=3.5 by=Intel cards=8 ipv4=30 encrypts=yes ebs=37500 store=2850/required
r6idn.16xlarge arch=x86_64 cpu=64 mib=524288 ghz=3.5 by=Intel cards=15 ipv4=50 encrypts=yes ebs=50000 store=3800/required
r6idn.24xlarge arch=x86_64 cpu=96 mib=786432 ghz=3.5 by=Intel cards=15 ipv4=50 encrypts=yes ebs=75000 store=5700/required
r6idn.2xlarge arch=x86_64 cpu=8 mib=65536 ghz=3.5 by=Intel cards=4 ipv4=15 encrypts=yes ebs=25000 store=474/required
r6idn.32xlarge arch=x86_64 cpu=128 mib=1048576 ghz=3.5 by=Intel cards=8,8 ipv4=50 efa=2 encrypts=yes ebs=100000 store=7600/required
r6idn.4xlarge arch=x86_64 cpu=16 mib=131072 ghz=3.5 by=Intel cards=8 ipv4=30 encrypts=yes ebs=25000 store=950/required
r6idn.8xlarge arch=x86_64 cpu=32 mib=262144 ghz=3.5 by=Intel cards=8 ipv4=30 encrypts=yes ebs=25000 store=1900/required
r6idn.large arch=x86_64 cpu=2 mib=16384 ghz=3.5 by=Intel cards=3 ipv4=10 encrypts=yes ebs=25000 store=118/required enclaves=unsupported
r6idn.metal arch=x86_64 cpu=128 mib=1048576 ghz=3.5 by=Intel hypervisor=none metal=yes cards=8,8 ipv4=50 efa=2 encrypts=yes ebs=100000 store=7600/required enclaves=unsupported
r6idn.xlarge arch=x86_64 cpu=4 mib=32768 ghz=3.5 by=Intel cards=4 ipv4=15 encrypts=yes ebs=25000 store=237/required
r6in.12xlarge arch=x86_64 cpu=48 mib=393216 ghz=3.5 by=Intel cards=8 ipv4=30 encrypts=yes ebs=37500
r6in.16xlarge arch=x86_64 cpu=64 mib=524288 ghz=3.5 by=Intel cards=15 ipv4=50 encrypts=yes ebs=50000
r6in.24xlarge arch=x86_64 cpu=96 mib=786432 ghz=3.5 by=Intel cards=15 ipv4=50 encrypts=yes ebs=75000
r6in.2xlarge arch=x86_64 cpu=8 mib=65536 ghz=3.5 by=Intel cards=4 ipv4=15 encrypts=yes ebs=25000
r6in.32xlarge arch=x86_64 cpu=128 mib=1048576 ghz=3.5 by=Intel cards=8,8 ipv4=50 efa=2 encrypts=yes ebs=100000
r6in.4xlarge arch=x86_64 cpu=16 mib=131072 ghz=3.5 by=Intel cards=8 ipv4=30 encrypts=yes ebs=25000
r6in.8xlarge arch=x86_64 cpu=32 mib=262144 ghz=3.5 by=Intel cards=8 ipv4=30 encrypts=yes ebs=25000
r6in.large arch=x86_64 cpu=2 mib=16384 ghz=3.5 by=Intel cards=3 ipv4=10 encrypts=yes ebs=25000 enclaves=unsupported
r6in.metal arch=x86_64 cpu=128 mib=1048576 ghz=3.5 by=Intel hypervisor=none metal=yes cards=8,8 ipv4=50 efa=2 encrypts=yes ebs=100000 enclaves=unsupported
r6in.xlarge arch=x86_64 cpu=4 mib=32768 ghz=3.5 by=Intel cards=4 ipv4=15 encrypts=yes ebs=25000
r7a.12xlarge arch=x86_64 cpu=48 mib=393216 ghz=3.7 by=AMD cards=8 ipv4=30 encrypts=yes ebs=15000
r7a.16xlarge arch=x86_64 cpu=64 mib=524288 ghz=3.7 by=AMD cards=15 ipv4=50 encrypts=yes ebs=20000
r7a.24xlarge arch=x86_64 cpu=96 mib=786432 ghz=3.7 by=AMD cards=15 ipv4=50 encrypts=yes ebs=30000
r7a.2xlarge arch=x86_64 cpu=8 mib=65536 ghz=3.7 by=AMD cards=4 ipv4=15 encrypts=yes ebs=10000
r7a.32xlarge arch=x86_64 cpu=128 mib=1048576 ghz=3.7 by=AMD cards=15 ipv4=50 encrypts=yes ebs=40000
r7a.48xlarge arch=x86_64 cpu=192 mib=1572864 ghz=3.7 by=AMD cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000
r7a.4xlarge arch=x86_64 cpu=16 mib=131072 ghz=3.7 by=AMD cards=8 ipv4=30 encrypts=yes ebs=10000
r7a.8xlarge arch=x86_64 cpu=32 mib=262144 ghz=3.7 by=AMD cards=8 ipv4=30 encrypts=yes ebs=10000
r7a.large arch=x86_64 cpu=2 mib=16384 ghz=3.7 by=AMD cards=3 ipv4=10 encrypts=yes ebs=10000 enclaves=unsupported
r7a.medium arch=x86_64 cpu=1 mib=8192 ghz=3.7 by=AMD cards=2 ipv4=4 encrypts=yes ebs=10000 enclaves=unsupported
r7a.metal-48xl arch=x86_64 cpu=192 mib=1572864 ghz=3.7 by=AMD hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000 enclaves=unsupported
r7a.xlarge arch=x86_64 cpu=4 mib=32768 ghz=3.7 by=AMD cards=4 ipv4=15 encrypts=yes ebs=10000
r7g.12xlarge arch=arm64 cpu=48 mib=393216 ghz=2.6 by=AWS cards=8 ipv4=30 encrypts=yes ebs=15000
r7g.16xlarge arch=arm64 cpu=64 mib=524288 ghz=2.6 by=AWS cards=15 ipv4=50 efa=1 encrypts=yes ebs=20000
r7g.2xlarge arch=arm64 cpu=8 mib=65536 ghz=2.6 by=AWS cards=4 ipv4=15 encrypts=yes ebs=10000
r7g.4xlarge arch=arm64 cpu=16 mib=131072 ghz=2.6 by=AWS cards=8 ipv4=30 encrypts=yes ebs=10000
r7g.8xlarge arch=arm64 cpu=32 mib=262144 ghz=2.6 by=AWS cards=8 ipv4=30 encrypts=yes ebs=10000
r7g.large arch=arm64 cpu=2 mib=16384 ghz=2.6 by=AWS cards=3 ipv4=10 encrypts=yes ebs=10000
r7g.medium arch=arm64 cpu=1 mib=8192 ghz=2.6 by=AWS cards=2 ipv4=4 encrypts=yes ebs=10000 enclaves=unsupported
r7g.metal arch=arm64 cpu=64 mib=524288 ghz=2.6 by=AWS hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=20000 enclaves=unsupported
r7g.xlarge arch=arm64 cpu=4 mib=32768 ghz=2.6 by=AWS cards=4 ipv4=15 encrypts=yes ebs=10000
r7gd.12xlarge arch=arm64 cpu=48 mib=393216 ghz=2.6 by=AWS cards=8 ipv4=30 encrypts=yes ebs=15000 store=2850/required
r7gd.16xlarge arch=arm64 cpu=64 mib=524288 ghz=2.6 by=AWS cards=15 ipv4=50 efa=1 encrypts=yes ebs=20000 store=3800/required
r7gd.2xlarge arch=arm64 cpu=8 mib=65536 ghz=2.6 by=AWS cards=4 ipv4=15 encrypts=yes ebs=10000 store=474/required
r7gd.4xlarge arch=arm64 cpu=16 mib=131072 ghz=2.6 by=AWS cards=8 ipv4=30 encrypts=yes ebs=10000 store=950/required
r7gd.8xlarge arch=arm64 cpu=32 mib=262144 ghz=2.6 by=AWS cards=8 ipv4=30 encrypts=yes ebs=10000 store=1900/required
r7gd.large arch=arm64 cpu=2 mib=16384 ghz=2.6 by=AWS cards=3 ipv4=10 encrypts=yes ebs=10000 store=118/required
r7gd.medium arch=arm64 cpu=1 mib=8192 ghz=2.6 by=AWS cards=2 ipv4=4 encrypts=yes ebs=10000 store=59/required enclaves=unsupported
r7gd.metal arch=arm64 cpu=64 mib=524288 ghz=2.6 by=AWS hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=20000 store=3800/required enclaves=unsupported
r7gd.xlarge arch=arm64 cpu=4 mib=32768 ghz=2.6 by=AWS cards=4 ipv4=15 encrypts=yes ebs=10000 store=237/required
r7i.12xlarge arch=x86_64 cpu=48 mib=393216 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=8 ipv4=30 encrypts=yes ebs=15000
r7i.16xlarge arch=x86_64 cpu=64 mib=524288 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=15 ipv4=50 encrypts=yes ebs=20000
r7i.24xlarge arch=x86_64 cpu=96 mib=786432 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=15 ipv4=50 encrypts=yes ebs=30000
r7i.2xlarge arch=x86_64 cpu=8 mib=65536 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=4 ipv4=15 encrypts=yes ebs=10000
r7i.48xlarge arch=x86_64 cpu=192 mib=1572864 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000
r7i.4xlarge arch=x86_64 cpu=16 mib=131072 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=8 ipv4=30 encrypts=yes ebs=10000
r7i.8xlarge arch=x86_64 cpu=32 mib=262144 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=8 ipv4=30 encrypts=yes ebs=10000
r7i.large arch=x86_64 cpu=2 mib=16384 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=3 ipv4=10 encrypts=yes ebs=10000 enclaves=unsupported
r7i.metal-24xl arch=x86_64 cpu=96 mib=786432 ghz=3.2 by=Intel hypervisor=none metal=yes cards=15 ipv4=50 encrypts=yes ebs=30000 enclaves=unsupported
r7i.metal-48xl arch=x86_64 cpu=192 mib=1572864 ghz=3.2 by=Intel hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000 enclaves=unsupported
r7i.xlarge arch=x86_64 cpu=4 mib=32768 ghz=3.2 by=Intel can=nested-virtualization,metal-compatibility cards=4 ipv4=15 encrypts=yes ebs=10000
r7iz.12xlarge arch=x86_64 cpu=48 mib=393216 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=8 ipv4=30 encrypts=yes ebs=19000
r7iz.16xlarge arch=x86_64 cpu=64 mib=524288 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=15 ipv4=50 encrypts=yes ebs=20000
r7iz.2xlarge arch=x86_64 cpu=8 mib=65536 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=4 ipv4=15 encrypts=yes ebs=10000
r7iz.32xlarge arch=x86_64 cpu=128 mib=1048576 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000
r7iz.4xlarge arch=x86_64 cpu=16 mib=131072 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=8 ipv4=30 encrypts=yes ebs=10000
r7iz.8xlarge arch=x86_64 cpu=32 mib=262144 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=8 ipv4=30 encrypts=yes ebs=10000
r7iz.large arch=x86_64 cpu=2 mib=16384 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=3 ipv4=10 encrypts=yes ebs=10000 enclaves=unsupported
r7iz.metal-16xl arch=x86_64 cpu=64 mib=524288 ghz=3.9 by=Intel hypervisor=none metal=yes cards=15 ipv4=50 encrypts=yes ebs=20000 enclaves=unsupported
r7iz.metal-32xl arch=x86_64 cpu=128 mib=1048576 ghz=3.9 by=Intel hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000 enclaves=unsupported
r7iz.xlarge arch=x86_64 cpu=4 mib=32768 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=4 ipv4=15 encrypts=yes ebs=10000
r8a.12xlarge arch=x86_64 cpu=48 mib=393216 ghz=4.5 by=AMD cards=12 ipv4=64 encrypts=yes ebs=15000
r8a.16xlarge arch=x86_64 cpu=64 mib=524288 ghz=4.5 by=AMD cards=16 ipv4=64 encrypts=yes ebs=20000
r8a.24xlarge arch=x86_64 cpu=96 mib=786432 ghz=4.5 by=AMD cards=16 ipv4=64 encrypts=yes ebs=30000
r8a.2xlarge arch=x86_64 cpu=8 mib=65536 ghz=4.5 by=AMD cards=4 ipv4=40 encrypts=yes ebs=10000
r8a.48xlarge arch=x86_64 cpu=192 mib=1572864 ghz=4.5 by=AMD cards=24 ipv4=64 efa=1 encrypts=yes ebs=60000
r8a.4xlarge arch=x86_64 cpu=16 mib=131072 ghz=4.5 by=AMD cards=8 ipv4=40 encrypts=yes ebs=10000
r8a.8xlarge arch=x86_64 cpu=32 mib=262144 ghz=4.5 by=AMD cards=10 ipv4=40 encrypts=yes ebs=10000
r8a.large arch=x86_64 cpu=2 mib=16384 ghz=4.5 by=AMD cards=3 ipv4=20 encrypts=yes ebs=10000
r8a.medium arch=x86_64 cpu=1 mib=8192 ghz=4.5 by=AMD cards=2 ipv4=4 encrypts=yes ebs=10000 enclaves=unsupported
r8a.metal-24xl arch=x86_64 cpu=96 mib=786432 ghz=4.5 by=AMD hypervisor=none metal=yes cards=16 ipv4=64 encrypts=yes ebs=30000 enclaves=unsupported
r8a.metal-48xl arch=x86_64 cpu=192 mib=1572864 ghz=4.5 by=AMD hypervisor=none metal=yes cards=24 ipv4=64 efa=1 encrypts=yes ebs=60000 enclaves=unsupported
r8a.xlarge arch=x86_64 cpu=4 mib=32768 ghz=4.5 by=AMD cards=4 ipv4=20 encrypts=yes ebs=10000
r8g.12xlarge arch=arm64 cpu=48 mib=393216 ghz=2.8 by=AWS cards=8 ipv4=30 encrypts=yes ebs=15000
r8g.16xlarge arch=arm64 cpu=64 mib=524288 ghz=2.8 by=AWS cards=15 ipv4=50 encrypts=yes ebs=20000
r8g.24xlarge arch=arm64 cpu=96 mib=786432 ghz=2.8 by=AWS cards=15 ipv4=50 efa=1 encrypts=yes ebs=30000
r8g.2xlarge arch=arm64 cpu=8 mib=65536 ghz=2.8 by=AWS cards=4 ipv4=15 encrypts=yes ebs=10000
r8g.48xlarge arch=arm64 cpu=192 mib=1572864 ghz=2.7 by=AWS cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000
r8g.4xlarge arch=arm64 cpu=16 mib=131072 ghz=2.8 by=AWS cards=8 ipv4=30 encrypts=yes ebs=10000
r8g.8xlarge arch=arm64 cpu=32 mib=262144 ghz=2.8 by=AWS cards=8 ipv4=30 encrypts=yes ebs=10000
r8g.large arch=arm64 cpu=2 mib=16384 ghz=2.8 by=AWS cards=3 ipv4=10 encrypts=yes ebs=10000
r8g.medium arch=arm64 cpu=1 mib=8192 ghz=2.8 by=AWS cards=2 ipv4=4 encrypts=yes ebs=10000 enclaves=unsupported
r8g.metal-24xl arch=arm64 cpu=96 mib=786432 ghz=2.8 by=AWS hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=30000 enclaves=unsupported
r8g.metal-48xl arch=arm64 cpu=192 mib=1572864 ghz=2.7 by=AWS hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000 enclaves=unsupported
r8g.xlarge arch=arm64 cpu=4 mib=32768 ghz=2.8 by=AWS cards=4 ipv4=15 encrypts=yes ebs=10000
r8gb.12xlarge arch=arm64 cpu=48 mib=393216 ghz=2.8 by=AWS cards=12 ipv4=30 encrypts=yes ebs=75000
r8gb.16xlarge arch=arm64 cpu=64 mib=524288 ghz=2.8 by=AWS cards=16 ipv4=50 efa=1 encrypts=yes ebs=100000
r8gb.24xlarge arch=arm64 cpu=96 mib=786432 ghz=2.8 by=AWS cards=24 ipv4=50 efa=1 encrypts=yes ebs=150000
r8gb.2xlarge arch=arm64 cpu=8 mib=65536 ghz=2.8 by=AWS cards=4 ipv4=15 encrypts=yes ebs=25000
r8gb.48xlarge arch=arm64 cpu=192 mib=1572864 ghz=2.7 by=AWS cards=12,12 ipv4=50 efa=2 encrypts=yes ebs=300000
r8gb.4xlarge arch=arm64 cpu=16 mib=131072 ghz=2.8 by=AWS cards=8 ipv4=30 encrypts=yes ebs=25000
r8gb.8xlarge arch=arm64 cpu=32 mib=262144 ghz=2.8 by=AWS cards=10 ipv4=30 encrypts=yes ebs=50000
r8gb.large arch=arm64 cpu=2 mib=16384 ghz=2.8 by=AWS cards=3 ipv4=10 encrypts=yes ebs=25000
r8gb.medium arch=arm64 cpu=1 mib=8192 ghz=2.8 by=AWS cards=2 ipv4=4 encrypts=yes ebs=25000 enclaves=unsupported
r8gb.metal-24xl arch=arm64 cpu=96 mib=786432 ghz=2.8 by=AWS hypervisor=none metal=yes cards=24 ipv4=50 efa=1 encrypts=yes ebs=150000 enclaves=unsupported
r8gb.metal-48xl arch=arm64 cpu=192 mib=1572864 ghz=2.7 by=AWS hypervisor=none metal=yes cards=12,12 ipv4=50 efa=2 encrypts=yes ebs=300000 enclaves=unsupported
r8gb.xlarge arch=arm64 cpu=4 mib=32768 ghz=2.8 by=AWS cards=4 ipv4=15 encrypts=yes ebs=25000
r8gd.12xlarge arch=arm64 cpu=48 mib=393216 ghz=2.8 by=AWS cards=8 ipv4=30 encrypts=yes ebs=15000 store=2850/required
r8gd.16xlarge arch=arm64 cpu=64 mib=524288 ghz=2.8 by=AWS cards=15 ipv4=50 encrypts=yes ebs=20000 store=3800/required
r8gd.24xlarge arch=arm64 cpu=96 mib=786432 ghz=2.8 by=AWS cards=15 ipv4=50 efa=1 encrypts=yes ebs=30000 store=5700/required
r8gd.2xlarge arch=arm64 cpu=8 mib=65536 ghz=2.8 by=AWS cards=4 ipv4=15 encrypts=yes ebs=10000 store=474/required
r8gd.48xlarge arch=arm64 cpu=192 mib=1572864 ghz=2.7 by=AWS cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000 store=11400/required
r8gd.4xlarge arch=arm64 cpu=16 mib=131072 ghz=2.8 by=AWS cards=8 ipv4=30 encrypts=yes ebs=10000 store=950/required
r8gd.8xlarge arch=arm64 cpu=32 mib=262144 ghz=2.8 by=AWS cards=8 ipv4=30 encrypts=yes ebs=10000 store=1900/required
r8gd.large arch=arm64 cpu=2 mib=16384 ghz=2.8 by=AWS cards=3 ipv4=10 encrypts=yes ebs=10000 store=118/required
r8gd.medium arch=arm64 cpu=1 mib=8192 ghz=2.8 by=AWS cards=2 ipv4=4 encrypts=yes ebs=10000 store=59/required enclaves=unsupported
r8gd.metal-24xl arch=arm64 cpu=96 mib=786432 ghz=2.8 by=AWS hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=30000 store=5700/required enclaves=unsupported
r8gd.metal-48xl arch=arm64 cpu=192 mib=1572864 ghz=2.7 by=AWS hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000 store=11400/required enclaves=unsupported
r8gd.xlarge arch=arm64 cpu=4 mib=32768 ghz=2.8 by=AWS cards=4 ipv4=15 encrypts=yes ebs=10000 store=237/required
r8gn.12xlarge arch=arm64 cpu=48 mib=393216 ghz=2.8 by=AWS cards=12 ipv4=30 encrypts=yes ebs=30000
r8gn.16xlarge arch=arm64 cpu=64 mib=524288 ghz=2.8 by=AWS cards=16 ipv4=50 efa=1 encrypts=yes ebs=40000
r8gn.24xlarge arch=arm64 cpu=96 mib=786432 ghz=2.8 by=AWS cards=24 ipv4=50 efa=1 encrypts=yes ebs=60000
r8gn.2xlarge arch=arm64 cpu=8 mib=65536 ghz=2.8 by=AWS cards=4 ipv4=15 encrypts=yes ebs=10000
r8gn.48xlarge arch=arm64 cpu=192 mib=1572864 ghz=2.7 by=AWS cards=12,12 ipv4=50 efa=2 encrypts=yes ebs=120000
r8gn.4xlarge arch=arm64 cpu=16 mib=131072 ghz=2.8 by=AWS cards=8 ipv4=30 encrypts=yes ebs=10000
r8gn.8xlarge arch=arm64 cpu=32 mib=262144 ghz=2.8 by=AWS cards=10 ipv4=30 encrypts=yes ebs=20000
r8gn.large arch=arm64 cpu=2 mib=16384 ghz=2.8 by=AWS cards=3 ipv4=10 encrypts=yes ebs=10000
r8gn.medium arch=arm64 cpu=1 mib=8192 ghz=2.8 by=AWS cards=2 ipv4=4 encrypts=yes ebs=10000 enclaves=unsupported
r8gn.metal-24xl arch=arm64 cpu=96 mib=786432 ghz=2.8 by=AWS hypervisor=none metal=yes cards=24 ipv4=50 efa=1 encrypts=yes ebs=60000 enclaves=unsupported
r8gn.metal-48xl arch=arm64 cpu=192 mib=1572864 ghz=2.7 by=AWS hypervisor=none metal=yes cards=12,12 ipv4=50 efa=2 encrypts=yes ebs=120000 enclaves=unsupported
r8gn.xlarge arch=arm64 cpu=4 mib=32768 ghz=2.8 by=AWS cards=4 ipv4=15 encrypts=yes ebs=10000
r8i-flex.12xlarge arch=x86_64 cpu=48 mib=393216 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=12 ipv4=50 encrypts=yes ebs=15000 group=partition,spread enclaves=unsupported
r8i-flex.16xlarge arch=x86_64 cpu=64 mib=524288 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=16 ipv4=64 encrypts=yes ebs=20000 group=partition,spread enclaves=unsupported
r8i-flex.2xlarge arch=x86_64 cpu=8 mib=65536 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=4 ipv4=30 encrypts=yes ebs=10000 group=partition,spread enclaves=unsupported
r8i-flex.4xlarge arch=x86_64 cpu=16 mib=131072 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=8 ipv4=50 encrypts=yes ebs=10000 group=partition,spread enclaves=unsupported
r8i-flex.8xlarge arch=x86_64 cpu=32 mib=262144 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=10 ipv4=50 encrypts=yes ebs=10000 group=partition,spread enclaves=unsupported
r8i-flex.large arch=x86_64 cpu=2 mib=16384 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=3 ipv4=20 encrypts=yes ebs=10000 group=partition,spread enclaves=unsupported
r8i-flex.xlarge arch=x86_64 cpu=4 mib=32768 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=4 ipv4=30 encrypts=yes ebs=10000 group=partition,spread enclaves=unsupported
r8i.12xlarge arch=x86_64 cpu=48 mib=393216 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=12 ipv4=50 encrypts=yes ebs=15000
r8i.16xlarge arch=x86_64 cpu=64 mib=524288 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=16 ipv4=64 encrypts=yes ebs=20000
r8i.24xlarge arch=x86_64 cpu=96 mib=786432 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=16 ipv4=64 encrypts=yes ebs=30000
r8i.2xlarge arch=x86_64 cpu=8 mib=65536 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=4 ipv4=30 encrypts=yes ebs=10000
r8i.32xlarge arch=x86_64 cpu=128 mib=1048576 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=24 ipv4=64 encrypts=yes ebs=40000
r8i.48xlarge arch=x86_64 cpu=192 mib=1572864 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=24 ipv4=64 efa=1 encrypts=yes ebs=60000
r8i.4xlarge arch=x86_64 cpu=16 mib=131072 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=8 ipv4=50 encrypts=yes ebs=10000
r8i.8xlarge arch=x86_64 cpu=32 mib=262144 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=10 ipv4=50 encrypts=yes ebs=10000
r8i.96xlarge arch=x86_64 cpu=384 mib=3145728 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=24 ipv4=64 efa=1 encrypts=yes ebs=80000
r8i.large arch=x86_64 cpu=2 mib=16384 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=3 ipv4=20 encrypts=yes ebs=10000 enclaves=unsupported
r8i.metal-48xl arch=x86_64 cpu=192 mib=1572864 ghz=3.9 by=Intel hypervisor=none metal=yes cards=24 ipv4=64 efa=1 encrypts=yes ebs=60000 enclaves=unsupported
r8i.metal-96xl arch=x86_64 cpu=384 mib=3145728 ghz=3.9 by=Intel hypervisor=none metal=yes cards=24 ipv4=64 efa=1 encrypts=yes ebs=80000 enclaves=unsupported
r8i.xlarge arch=x86_64 cpu=4 mib=32768 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=4 ipv4=30 encrypts=yes ebs=10000
r8ib.12xlarge arch=x86_64 cpu=48 mib=393216 ghz=3.9 by=Intel cards=12 ipv4=50 encrypts=yes ebs=37500
r8ib.16xlarge arch=x86_64 cpu=64 mib=524288 ghz=3.9 by=Intel cards=16 ipv4=64 encrypts=yes ebs=50000
r8ib.24xlarge arch=x86_64 cpu=96 mib=786432 ghz=3.9 by=Intel cards=16 ipv4=64 encrypts=yes ebs=75000
r8ib.2xlarge arch=x86_64 cpu=8 mib=65536 ghz=3.9 by=Intel cards=4 ipv4=30 encrypts=yes ebs=25000
r8ib.32xlarge arch=x86_64 cpu=128 mib=1048576 ghz=3.9 by=Intel cards=16 ipv4=64 encrypts=yes ebs=100000
r8ib.48xlarge arch=x86_64 cpu=192 mib=1572864 ghz=3.9 by=Intel cards=24 ipv4=64 efa=1 encrypts=yes ebs=150000
r8ib.4xlarge arch=x86_64 cpu=16 mib=131072 ghz=3.9 by=Intel cards=8 ipv4=50 encrypts=yes ebs=25000
r8ib.8xlarge arch=x86_64 cpu=32 mib=262144 ghz=3.9 by=Intel cards=8 ipv4=50 encrypts=yes ebs=25000
r8ib.96xlarge arch=x86_64 cpu=384 mib=3145728 ghz=3.9 by=Intel cards=12,12 ipv4=64 efa=2 encrypts=yes ebs=300000
r8ib.large arch=x86_64 cpu=2 mib=16384 ghz=3.9 by=Intel cards=4 ipv4=20 encrypts=yes ebs=25000 enclaves=unsupported
r8ib.metal-48xl arch=x86_64 cpu=192 mib=1572864 ghz=3.9 by=Intel hypervisor=none metal=yes cards=24 ipv4=64 efa=1 encrypts=yes ebs=150000 enclaves=unsupported
r8ib.metal-96xl arch=x86_64 cpu=384 mib=3145728 ghz=3.9 by=Intel hypervisor=none metal=yes cards=12,12 ipv4=64 efa=2 encrypts=yes ebs=300000 enclaves=unsupported
r8ib.xlarge arch=x86_64 cpu=4 mib=32768 ghz=3.9 by=Intel cards=4 ipv4=30 encrypts=yes ebs=25000
r8id.12xlarge arch=x86_64 cpu=48 mib=393216 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=12 ipv4=50 encrypts=yes ebs=15000 store=2850/required
r8id.16xlarge arch=x86_64 cpu=64 mib=524288 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=16 ipv4=64 encrypts=yes ebs=20000 store=3800/required
r8id.24xlarge arch=x86_64 cpu=96 mib=786432 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=16 ipv4=64 encrypts=yes ebs=30000 store=5700/required
r8id.2xlarge arch=x86_64 cpu=8 mib=65536 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=4 ipv4=30 encrypts=yes ebs=10000 store=474/required
r8id.32xlarge arch=x86_64 cpu=128 mib=1048576 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=24 ipv4=64 encrypts=yes ebs=40000 store=7600/required
r8id.48xlarge arch=x86_64 cpu=192 mib=1572864 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=24 ipv4=64 efa=1 encrypts=yes ebs=60000 store=11400/required
r8id.4xlarge arch=x86_64 cpu=16 mib=131072 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=8 ipv4=50 encrypts=yes ebs=10000 store=950/required
r8id.8xlarge arch=x86_64 cpu=32 mib=262144 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=10 ipv4=50 encrypts=yes ebs=10000 store=1900/required
r8id.96xlarge arch=x86_64 cpu=384 mib=3145728 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=24 ipv4=64 efa=1 encrypts=yes ebs=80000 store=22800/required
r8id.large arch=x86_64 cpu=2 mib=16384 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=3 ipv4=20 encrypts=yes ebs=10000 store=118/required enclaves=unsupported
r8id.metal-48xl arch=x86_64 cpu=192 mib=1572864 ghz=3.9 by=Intel hypervisor=none metal=yes cards=24 ipv4=64 efa=1 encrypts=yes ebs=60000 store=11400/required enclaves=unsupported
r8id.metal-96xl arch=x86_64 cpu=384 mib=3145728 ghz=3.9 by=Intel hypervisor=none metal=yes cards=24 ipv4=64 efa=1 encrypts=yes ebs=80000 store=22800/required enclaves=unsupported
r8id.xlarge arch=x86_64 cpu=4 mib=32768 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=4 ipv4=30 encrypts=yes ebs=10000 store=237/required
r8idb.12xlarge arch=x86_64 cpu=48 mib=393216 ghz=3.9 by=Intel cards=12 ipv4=50 encrypts=yes ebs=37500 store=2850/required
r8idb.16xlarge arch=x86_64 cpu=64 mib=524288 ghz=3.9 by=Intel cards=16 ipv4=64 encrypts=yes ebs=50000 store=3800/required
r8idb.24xlarge arch=x86_64 cpu=96 mib=786432 ghz=3.9 by=Intel cards=16 ipv4=64 encrypts=yes ebs=75000 store=5700/required
r8idb.2xlarge arch=x86_64 cpu=8 mib=65536 ghz=3.9 by=Intel cards=4 ipv4=30 encrypts=yes ebs=25000 store=474/required
r8idb.32xlarge arch=x86_64 cpu=128 mib=1048576 ghz=3.9 by=Intel cards=16 ipv4=64 encrypts=yes ebs=100000 store=7600/required
r8idb.48xlarge arch=x86_64 cpu=192 mib=1572864 ghz=3.9 by=Intel cards=24 ipv4=64 efa=1 encrypts=yes ebs=150000 store=11400/required
r8idb.4xlarge arch=x86_64 cpu=16 mib=131072 ghz=3.9 by=Intel cards=8 ipv4=50 encrypts=yes ebs=25000 store=950/required
r8idb.8xlarge arch=x86_64 cpu=32 mib=262144 ghz=3.9 by=Intel cards=8 ipv4=50 encrypts=yes ebs=25000 store=1900/required
r8idb.96xlarge arch=x86_64 cpu=384 mib=3145728 ghz=3.9 by=Intel cards=12,12 ipv4=64 efa=2 encrypts=yes ebs=300000 store=22800/required
r8idb.large arch=x86_64 cpu=2 mib=16384 ghz=3.9 by=Intel cards=4 ipv4=20 encrypts=yes ebs=25000 store=118/required enclaves=unsupported
r8idb.metal-48xl arch=x86_64 cpu=192 mib=1572864 ghz=3.9 by=Intel hypervisor=none metal=yes cards=24 ipv4=64 efa=1 encrypts=yes ebs=150000 store=11400/required enclaves=unsupported
r8idb.metal-96xl arch=x86_64 cpu=384 mib=3145728 ghz=3.9 by=Intel hypervisor=none metal=yes cards=12,12 ipv4=64 efa=2 encrypts=yes ebs=300000 store=22800/required enclaves=unsupported
r8idb.xlarge arch=x86_64 cpu=4 mib=32768 ghz=3.9 by=Intel cards=4 ipv4=30 encrypts=yes ebs=25000 store=237/required
r8idn.12xlarge arch=x86_64 cpu=48 mib=393216 ghz=3.9 by=Intel cards=12 ipv4=50 encrypts=yes ebs=15000 store=2850/required
r8idn.16xlarge arch=x86_64 cpu=64 mib=524288 ghz=3.9 by=Intel cards=16 ipv4=64 encrypts=yes ebs=20000 store=3800/required
r8idn.24xlarge arch=x86_64 cpu=96 mib=786432 ghz=3.9 by=Intel cards=16 ipv4=64 encrypts=yes ebs=30000 store=5700/required
r8idn.2xlarge arch=x86_64 cpu=8 mib=65536 ghz=3.9 by=Intel cards=4 ipv4=30 encrypts=yes ebs=10000 store=474/required
r8idn.32xlarge arch=x86_64 cpu=128 mib=1048576 ghz=3.9 by=Intel cards=16 ipv4=64 encrypts=yes ebs=40000 store=7600/required
r8idn.48xlarge arch=x86_64 cpu=192 mib=1572864 ghz=3.9 by=Intel cards=24 ipv4=64 efa=1 encrypts=yes ebs=60000 store=11400/required
r8idn.4xlarge arch=x86_64 cpu=16 mib=131072 ghz=3.9 by=Intel cards=8 ipv4=50 encrypts=yes ebs=10000 store=950/required
r8idn.8xlarge arch=x86_64 cpu=32 mib=262144 ghz=3.9 by=Intel cards=8 ipv4=50 encrypts=yes ebs=10000 store=1900/required
r8idn.96xlarge arch=x86_64 cpu=384 mib=3145728 ghz=3.9 by=Intel cards=12,12 ipv4=64 efa=2 encrypts=yes ebs=120000 store=22800/required
r8idn.large arch=x86_64 cpu=2 mib=16384 ghz=3.9 by=Intel cards=4 ipv4=20 encrypts=yes ebs=10000 store=118/required enclaves=unsupported
r8idn.metal-48xl arch=x86_64 cpu=192 mib=1572864 ghz=3.9 by=Intel hypervisor=none metal=yes cards=24 ipv4=64 efa=1 encrypts=yes ebs=60000 store=11400/required enclaves=unsupported
r8idn.metal-96xl arch=x86_64 cpu=384 mib=3145728 ghz=3.9 by=Intel hypervisor=none metal=yes cards=12,12 ipv4=64 efa=2 encrypts=yes ebs=120000 store=22800/required enclaves=unsupported
r8idn.xlarge arch=x86_64 cpu=4 mib=32768 ghz=3.9 by=Intel cards=4 ipv4=30 encrypts=yes ebs=10000 store=237/required
r8in.12xlarge arch=x86_64 cpu=48 mib=393216 ghz=3.9 by=Intel cards=12 ipv4=50 encrypts=yes ebs=15000
r8in.16xlarge arch=x86_64 cpu=64 mib=524288 ghz=3.9 by=Intel cards=16 ipv4=64 encrypts=yes ebs=20000
r8in.24xlarge arch=x86_64 cpu=96 mib=786432 ghz=3.9 by=Intel cards=16 ipv4=64 encrypts=yes ebs=30000
r8in.2xlarge arch=x86_64 cpu=8 mib=65536 ghz=3.9 by=Intel cards=4 ipv4=30 encrypts=yes ebs=10000
r8in.32xlarge arch=x86_64 cpu=128 mib=1048576 ghz=3.9 by=Intel cards=16 ipv4=64 encrypts=yes ebs=40000
r8in.48xlarge arch=x86_64 cpu=192 mib=1572864 ghz=3.9 by=Intel cards=24 ipv4=64 efa=1 encrypts=yes ebs=60000
r8in.4xlarge arch=x86_64 cpu=16 mib=131072 ghz=3.9 by=Intel cards=8 ipv4=50 encrypts=yes ebs=10000
r8in.8xlarge arch=x86_64 cpu=32 mib=262144 ghz=3.9 by=Intel cards=8 ipv4=50 encrypts=yes ebs=10000
r8in.96xlarge arch=x86_64 cpu=384 mib=3145728 ghz=3.9 by=Intel cards=12,12 ipv4=64 efa=2 encrypts=yes ebs=120000
r8in.large arch=x86_64 cpu=2 mib=16384 ghz=3.9 by=Intel cards=4 ipv4=20 encrypts=yes ebs=10000 enclaves=unsupported
r8in.metal-48xl arch=x86_64 cpu=192 mib=1572864 ghz=3.9 by=Intel hypervisor=none metal=yes cards=24 ipv4=64 efa=1 encrypts=yes ebs=60000 enclaves=unsupported
r8in.metal-96xl arch=x86_64 cpu=384 mib=3145728 ghz=3.9 by=Intel hypervisor=none metal=yes cards=12,12 ipv4=64 efa=2 encrypts=yes ebs=120000 enclaves=unsupported
r8in.xlarge arch=x86_64 cpu=4 mib=32768 ghz=3.9 by=Intel cards=4 ipv4=30 encrypts=yes ebs=10000
r9g.12xlarge arch=arm64 cpu=48 mib=393216 ghz=3.3 by=AWS cards=12 ipv4=50 encrypts=yes ebs=18000
r9g.16xlarge arch=arm64 cpu=64 mib=524288 ghz=3.3 by=AWS cards=16 ipv4=64 encrypts=yes ebs=24000
r9g.24xlarge arch=arm64 cpu=96 mib=786432 ghz=3.3 by=AWS cards=24 ipv4=64 encrypts=yes ebs=36000
r9g.2xlarge arch=arm64 cpu=8 mib=65536 ghz=3.3 by=AWS cards=4 ipv4=30 encrypts=yes ebs=12000
r9g.48xlarge arch=arm64 cpu=192 mib=1572864 ghz=3.3 by=AWS cards=24 ipv4=64 efa=1 encrypts=yes ebs=72000
r9g.4xlarge arch=arm64 cpu=16 mib=131072 ghz=3.3 by=AWS cards=8 ipv4=50 encrypts=yes ebs=12000
r9g.8xlarge arch=arm64 cpu=32 mib=262144 ghz=3.3 by=AWS cards=10 ipv4=50 encrypts=yes ebs=12000
r9g.large arch=arm64 cpu=2 mib=16384 ghz=3.3 by=AWS cards=3 ipv4=20 encrypts=yes ebs=12000
r9g.medium arch=arm64 cpu=1 mib=8192 ghz=3.3 by=AWS cards=2 ipv4=20 encrypts=yes ebs=12000 enclaves=unsupported
r9g.metal-48xl arch=arm64 cpu=192 mib=1572864 ghz=3.3 by=AWS hypervisor=none metal=yes cards=24 ipv4=64 efa=1 encrypts=yes ebs=72000 enclaves=unsupported
r9g.xlarge arch=arm64 cpu=4 mib=32768 ghz=3.3 by=AWS cards=4 ipv4=30 encrypts=yes ebs=12000
r9gd.12xlarge arch=arm64 cpu=48 mib=393216 ghz=3.3 by=AWS cards=12 ipv4=50 encrypts=yes ebs=18000 store=2850/required
r9gd.16xlarge arch=arm64 cpu=64 mib=524288 ghz=3.3 by=AWS cards=16 ipv4=64 encrypts=yes ebs=24000 store=3800/required
r9gd.24xlarge arch=arm64 cpu=96 mib=786432 ghz=3.3 by=AWS cards=24 ipv4=64 encrypts=yes ebs=36000 store=5700/required
r9gd.2xlarge arch=arm64 cpu=8 mib=65536 ghz=3.3 by=AWS cards=4 ipv4=30 encrypts=yes ebs=12000 store=474/required
r9gd.48xlarge arch=arm64 cpu=192 mib=1572864 ghz=3.3 by=AWS cards=24 ipv4=64 efa=1 encrypts=yes ebs=72000 store=11400/required
r9gd.4xlarge arch=arm64 cpu=16 mib=131072 ghz=3.3 by=AWS cards=8 ipv4=50 encrypts=yes ebs=12000 store=950/required
r9gd.8xlarge arch=arm64 cpu=32 mib=262144 ghz=3.3 by=AWS cards=10 ipv4=50 encrypts=yes ebs=12000 store=1900/required
r9gd.large arch=arm64 cpu=2 mib=16384 ghz=3.3 by=AWS cards=3 ipv4=20 encrypts=yes ebs=12000 store=118/required
r9gd.medium arch=arm64 cpu=1 mib=8192 ghz=3.3 by=AWS cards=2 ipv4=20 encrypts=yes ebs=12000 store=59/required enclaves=unsupported
r9gd.metal-48xl arch=arm64 cpu=192 mib=1572864 ghz=3.3 by=AWS hypervisor=none metal=yes cards=24 ipv4=64 efa=1 encrypts=yes ebs=72000 store=11400/required enclaves=unsupported
r9gd.xlarge arch=arm64 cpu=4 mib=32768 ghz=3.3 by=AWS cards=4 ipv4=30 encrypts=yes ebs=12000 store=237/required
t1.micro arch=x86_64 cpu=1 mib=627 by=Intel hypervisor=xen cards=2 ipv4=2 ena=unsupported optimized=unsupported group=partition,spread enclaves=unsupported
t2.2xlarge arch=x86_64 cpu=8 mib=32768 ghz=2.3 by=Intel hypervisor=xen cards=3 ipv4=15 ena=unsupported optimized=unsupported group=partition,spread enclaves=unsupported
t2.large arch=x86_64 cpu=2 mib=8192 ghz=2.3 by=Intel hypervisor=xen cards=3 ipv4=12 ena=unsupported optimized=unsupported group=partition,spread enclaves=unsupported
t2.medium arch=x86_64 cpu=2 mib=4096 ghz=2.3 by=Intel hypervisor=xen cards=3 ipv4=6 ena=unsupported optimized=unsupported group=partition,spread enclaves=unsupported
t2.micro arch=x86_64 cpu=1 mib=1024 ghz=2.5 by=Intel hypervisor=xen cards=2 ipv4=2 ena=unsupported optimized=unsupported group=partition,spread enclaves=unsupported
t2.nano arch=x86_64 cpu=1 mib=512 ghz=2.4 by=Intel buy=on-demand hypervisor=xen cards=2 ipv4=2 ena=unsupported optimized=unsupported group=partition,spread enclaves=unsupported
t2.small arch=x86_64 cpu=1 mib=2048 ghz=2.5 by=Intel hypervisor=xen cards=3 ipv4=4 ena=unsupported optimized=unsupported group=partition,spread enclaves=unsupported
t2.xlarge arch=x86_64 cpu=4 mib=16384 ghz=2.3 by=Intel hypervisor=xen cards=3 ipv4=15 ena=unsupported optimized=unsupported group=partition,spread enclaves=unsupported
t3.2xlarge arch=x86_64 cpu=8 mib=32768 ghz=2.5 by=Intel cards=4 ipv4=15 ebs=2780 group=partition,spread enclaves=unsupported
t3.large arch=x86_64 cpu=2 mib=8192 ghz=2.5 by=Intel cards=3 ipv4=12 ebs=2780 group=partition,spread enclaves=unsupported
t3.medium arch=x86_64 cpu=2 mib=4096 ghz=2.5 by=Intel cards=3 ipv4=6 ebs=2085 group=partition,spread enclaves=unsupported
t3.micro arch=x86_64 cpu=2 mib=1024 ghz=2.5 by=Intel cards=2 ipv4=2 ebs=2085 group=partition,spread enclaves=unsupported
t3.nano arch=x86_64 cpu=2 mib=512 ghz=2.5 by=Intel cards=2 ipv4=2 ebs=2085 group=partition,spread enclaves=unsupported
t3.small arch=x86_64 cpu=2 mib=2048 ghz=2.5 by=Intel cards=3 ipv4=4 ebs=2085 group=partition,spread enclaves=unsupported
t3.xlarge arch=x86_64 cpu=4 mib=16384 ghz=2.5 by=Intel cards=4 ipv4=15 ebs=2780 group=partition,spread enclaves=unsupported
t3a.2xlarge arch=x86_64 cpu=8 mib=32768 ghz=2.2 by=AMD cards=4 ipv4=15 ebs=2780 group=partition,spread enclaves=unsupported
t3a.large arch=x86_64 cpu=2 mib=8192 ghz=2.2 by=AMD cards=3 ipv4=12 ebs=2780 group=partition,spread enclaves=unsupported
t3a.medium arch=x86_64 cpu=2 mib=4096 ghz=2.2 by=AMD cards=3 ipv4=6 ebs=2085 group=partition,spread enclaves=unsupported
t3a.micro arch=x86_64 cpu=2 mib=1024 ghz=2.2 by=AMD cards=2 ipv4=2 ebs=2085 group=partition,spread enclaves=unsupported
t3a.nano arch=x86_64 cpu=2 mib=512 ghz=2.2 by=AMD cards=2 ipv4=2 ebs=2085 group=partition,spread enclaves=unsupported
t3a.small arch=x86_64 cpu=2 mib=2048 ghz=2.2 by=AMD cards=2 ipv4=4 ebs=2085 group=partition,spread enclaves=unsupported
t3a.xlarge arch=x86_64 cpu=4 mib=16384 ghz=2.2 by=AMD cards=4 ipv4=15 ebs=2780 group=partition,spread enclaves=unsupported
t4g.2xlarge arch=arm64 cpu=8 mib=32768 ghz=2.5 by=AWS cards=4 ipv4=15 ebs=2780 group=partition,spread enclaves=unsupported
t4g.large arch=arm64 cpu=2 mib=8192 ghz=2.5 by=AWS cards=3 ipv4=12 ebs=2780 group=partition,spread enclaves=unsupported
t4g.medium arch=arm64 cpu=2 mib=4096 ghz=2.5 by=AWS cards=3 ipv4=6 ebs=2085 group=partition,spread enclaves=unsupported
t4g.micro arch=arm64 cpu=2 mib=1024 ghz=2.5 by=AWS cards=2 ipv4=2 ebs=2085 group=partition,spread enclaves=unsupported
t4g.nano arch=arm64 cpu=2 mib=512 ghz=2.5 by=AWS cards=2 ipv4=2 ebs=2085 group=partition,spread enclaves=unsupported
t4g.small arch=arm64 cpu=2 mib=2048 ghz=2.5 by=AWS cards=3 ipv4=4 ebs=2085 group=partition,spread enclaves=unsupported
t4g.xlarge arch=arm64 cpu=4 mib=16384 ghz=2.5 by=AWS cards=4 ipv4=15 ebs=2780 group=partition,spread enclaves=unsupported
t8i.medium arch=x86_64 cpu=2 mib=4096 ghz=3.9 by=Intel cards=3 ipv4=6 encrypts=yes ebs=5000 group=partition,spread enclaves=unsupported
t8i.micro arch=x86_64 cpu=2 mib=1024 ghz=3.9 by=Intel cards=2 ipv4=2 encrypts=yes ebs=5000 group=partition,spread enclaves=unsupported
t8i.nano arch=x86_64 cpu=2 mib=512 ghz=3.9 by=Intel cards=2 ipv4=2 encrypts=yes ebs=5000 group=partition,spread enclaves=unsupported
t8i.small arch=x86_64 cpu=2 mib=2048 ghz=3.9 by=Intel cards=3 ipv4=4 encrypts=yes ebs=5000 group=partition,spread enclaves=unsupported
trn1.2xlarge arch=x86_64 cpu=8 mib=32768 ghz=3.5 by=Intel cards=4 ipv4=15 encrypts=yes ebs=20000 store=474/required neuron=Trainium/1/2 enclaves=unsupported
trn1.32xlarge arch=x86_64 cpu=128 mib=524288 ghz=3.5 by=Intel buy=capacity-block,on-demand,spot cards=5,5,5,5,5,5,5,5 ipv4=50 efa=8 encrypts=yes ebs=80000 store=7600/required neuron=Trainium/16/2 enclaves=unsupported
trn1n.32xlarge arch=x86_64 cpu=128 mib=524288 ghz=3.5 by=Intel cards=5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5 ipv4=50 efa=16 encrypts=yes ebs=80000 store=7600/required neuron=Trainium/16/2 enclaves=unsupported
trn2.3xlarge arch=x86_64 cpu=12 mib=131072 ghz=3.5 by=Intel buy=capacity-block,on-demand,spot cards=2 ipv4=15 efa=1 encrypts=yes ebs=5000 store=470/required neuron=Trainium2/1/8
trn2.48xlarge arch=x86_64 cpu=192 mib=2097152 ghz=3.5 by=Intel buy=capacity-block,on-demand,spot cards=2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2 ipv4=50 efa=16 encrypts=yes ebs=80000 store=7600/required neuron=Trainium2/16/8
trn2u.48xlarge arch=x86_64 cpu=192 mib=2097152 ghz=3.5 by=Intel buy=capacity-block,on-demand cards=2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2 ipv4=50 efa=16 encrypts=yes ebs=80000 store=7600/required
u-3tb1.56xlarge arch=x86_64 cpu=224 mib=3145728 ghz=2.1 by=Intel buy=on-demand cards=8 ipv4=30 encrypts=yes ebs=19000 enclaves=unsupported
u-6tb1.112xlarge arch=x86_64 cpu=448 mib=6291456 ghz=2.1 by=Intel buy=on-demand cards=15 ipv4=50 encrypts=yes ebs=38000 enclaves=unsupported
u-6tb1.56xlarge arch=x86_64 cpu=224 mib=6291456 ghz=2.1 by=Intel buy=on-demand cards=15 ipv4=50 encrypts=yes ebs=38000 enclaves=unsupported
u7i-12tb.224xlarge arch=x86_64 cpu=896 mib=12582912 ghz=1.9 by=Intel buy=on-demand cards=15 ipv4=50 efa=1 encrypts=yes ebs=100000 enclaves=unsupported
u7i-6tb.112xlarge arch=x86_64 cpu=448 mib=6291456 ghz=1.9 by=Intel buy=on-demand cards=15 ipv4=50 efa=1 encrypts=yes ebs=100000 enclaves=unsupported
u7i-8tb.112xlarge arch=x86_64 cpu=448 mib=8388608 ghz=1.9 by=Intel buy=on-demand cards=15 ipv4=50 efa=1 encrypts=yes ebs=100000 enclaves=unsupported
u7in-16tb.224xlarge arch=x86_64 cpu=896 mib=16777216 ghz=1.9 by=Intel buy=on-demand cards=8,8 ipv4=50 efa=2 encrypts=yes ebs=100000 enclaves=unsupported
u7in-24tb.224xlarge arch=x86_64 cpu=896 mib=25165824 ghz=1.9 by=Intel buy=on-demand cards=8,8 ipv4=50 efa=2 encrypts=yes ebs=100000 enclaves=unsupported
u7in-32tb.224xlarge arch=x86_64 cpu=896 mib=33554432 ghz=1.9 by=Intel buy=on-demand cards=8,8 ipv4=50 efa=2 encrypts=yes ebs=100000 enclaves=unsupported
vt1.24xlarge arch=x86_64 cpu=96 mib=196608 ghz=2.5 by=Intel cards=15 ipv4=50 efa=1 encrypts=yes ebs=19000 group=partition,spread enclaves=unsupported
vt1.3xlarge arch=x86_64 cpu=12 mib=24576 ghz=2.5 by=Intel cards=4 ipv4=15 encrypts=yes ebs=4750 group=partition,spread enclaves=unsupported
vt1.6xlarge arch=x86_64 cpu=24 mib=49152 ghz=2.5 by=Intel cards=8 ipv4=30 encrypts=yes ebs=4750 group=partition,spread enclaves=unsupported
x1.16xlarge arch=x86_64 cpu=64 mib=999424 ghz=2.3 by=Intel hypervisor=xen cards=8 ipv4=30 ena=supported ebs=7000 store=1920/unsupported enclaves=unsupported
x1.32xlarge arch=x86_64 cpu=128 mib=1998848 ghz=2.3 by=Intel hypervisor=xen cards=8 ipv4=30 ena=supported ebs=14000 store=3840/unsupported enclaves=unsupported
x1e.16xlarge arch=x86_64 cpu=64 mib=1998848 ghz=2.3 by=Intel hypervisor=xen cards=8 ipv4=30 ena=supported ebs=7000 store=1920/unsupported enclaves=unsupported
x1e.2xlarge arch=x86_64 cpu=8 mib=249856 ghz=2.3 by=Intel hypervisor=xen cards=4 ipv4=15 ena=supported ebs=1000 store=240/unsupported enclaves=unsupported
x1e.32xlarge arch=x86_64 cpu=128 mib=3997696 ghz=2.3 by=Intel hypervisor=xen cards=8 ipv4=30 ena=supported ebs=14000 store=3840/unsupported enclaves=unsupported
x1e.4xlarge arch=x86_64 cpu=16 mib=499712 ghz=2.3 by=Intel hypervisor=xen cards=4 ipv4=15 ena=supported ebs=1750 store=480/unsupported enclaves=unsupported
x1e.8xlarge arch=x86_64 cpu=32 mib=999424 ghz=2.3 by=Intel hypervisor=xen cards=4 ipv4=15 ena=supported ebs=3500 store=960/unsupported enclaves=unsupported
x1e.xlarge arch=x86_64 cpu=4 mib=124928 ghz=2.3 by=Intel hypervisor=xen cards=3 ipv4=10 ena=supported ebs=500 store=120/unsupported enclaves=unsupported
x2gd.12xlarge arch=arm64 cpu=48 mib=786432 ghz=2.5 by=AWS cards=8 ipv4=30 ebs=14250 store=2850/required
x2gd.16xlarge arch=arm64 cpu=64 mib=1048576 ghz=2.5 by=AWS cards=15 ipv4=50 ebs=19000 store=3800/required
x2gd.2xlarge arch=arm64 cpu=8 mib=131072 ghz=2.5 by=AWS cards=4 ipv4=15 ebs=4750 store=475/required
x2gd.4xlarge arch=arm64 cpu=16 mib=262144 ghz=2.5 by=AWS cards=8 ipv4=30 ebs=4750 store=950/required
x2gd.8xlarge arch=arm64 cpu=32 mib=524288 ghz=2.5 by=AWS cards=8 ipv4=30 ebs=9500 store=1900/required
x2gd.large arch=arm64 cpu=2 mib=32768 ghz=2.5 by=AWS cards=3 ipv4=10 ebs=4750 store=118/required
x2gd.medium arch=arm64 cpu=1 mib=16384 ghz=2.5 by=AWS cards=2 ipv4=4 ebs=4750 store=59/required enclaves=unsupported
x2gd.metal arch=arm64 cpu=64 mib=1048576 ghz=2.5 by=AWS hypervisor=none metal=yes cards=15 ipv4=50 ebs=19000 store=3800/required enclaves=unsupported
x2gd.xlarge arch=arm64 cpu=4 mib=65536 ghz=2.5 by=AWS cards=4 ipv4=15 ebs=4750 store=237/required
x2idn.16xlarge arch=x86_64 cpu=64 mib=1048576 ghz=3.5 by=Intel cards=15 ipv4=50 encrypts=yes ebs=40000 store=1900/required
x2idn.24xlarge arch=x86_64 cpu=96 mib=1572864 ghz=3.5 by=Intel cards=15 ipv4=50 encrypts=yes ebs=60000 store=2850/required
x2idn.32xlarge arch=x86_64 cpu=128 mib=2097152 ghz=3.5 by=Intel cards=15 ipv4=50 efa=1 encrypts=yes ebs=80000 store=3800/required
x2idn.metal arch=x86_64 cpu=128 mib=2097152 ghz=3.5 by=Intel hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=80000 store=3800/required enclaves=unsupported
x2iedn.16xlarge arch=x86_64 cpu=64 mib=2097152 ghz=3.5 by=Intel cards=15 ipv4=50 encrypts=yes ebs=40000 store=1900/required
x2iedn.24xlarge arch=x86_64 cpu=96 mib=3145728 ghz=3.5 by=Intel cards=15 ipv4=50 encrypts=yes ebs=60000 store=2850/required
x2iedn.2xlarge arch=x86_64 cpu=8 mib=262144 ghz=3.5 by=Intel cards=4 ipv4=15 encrypts=yes ebs=20000 store=237/required
x2iedn.32xlarge arch=x86_64 cpu=128 mib=4194304 ghz=3.5 by=Intel cards=15 ipv4=50 efa=1 encrypts=yes ebs=80000 store=3800/required
x2iedn.4xlarge arch=x86_64 cpu=16 mib=524288 ghz=3.5 by=Intel cards=8 ipv4=30 encrypts=yes ebs=20000 store=475/required
x2iedn.8xlarge arch=x86_64 cpu=32 mib=1048576 ghz=3.5 by=Intel cards=8 ipv4=30 encrypts=yes ebs=20000 store=950/required
x2iedn.metal arch=x86_64 cpu=128 mib=4194304 ghz=3.5 by=Intel hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=80000 store=3800/required enclaves=unsupported
x2iedn.xlarge arch=x86_64 cpu=4 mib=131072 ghz=3.5 by=Intel cards=4 ipv4=15 encrypts=yes ebs=20000 store=118/required
x2iezn.12xlarge arch=x86_64 cpu=48 mib=1572864 ghz=4.5 by=Intel cards=15 ipv4=50 efa=1 encrypts=yes ebs=19000
x2iezn.2xlarge arch=x86_64 cpu=8 mib=262144 ghz=4.5 by=Intel cards=4 ipv4=15 encrypts=yes ebs=3170
x2iezn.4xlarge arch=x86_64 cpu=16 mib=524288 ghz=4.5 by=Intel cards=8 ipv4=30 encrypts=yes ebs=4750
x2iezn.6xlarge arch=x86_64 cpu=24 mib=786432 ghz=4.5 by=Intel cards=8 ipv4=30 encrypts=yes ebs=9500
x2iezn.8xlarge arch=x86_64 cpu=32 mib=1048576 ghz=4.5 by=Intel cards=8 ipv4=30 encrypts=yes ebs=12000
x2iezn.metal arch=x86_64 cpu=48 mib=1572864 ghz=4.5 by=Intel hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=19000 enclaves=unsupported
x8aedz.12xlarge arch=x86_64 cpu=48 mib=1572864 ghz=5 by=AMD cards=16 ipv4=64 encrypts=yes ebs=30000 store=3800/required
x8aedz.24xlarge arch=x86_64 cpu=96 mib=3145728 ghz=5 by=AMD cards=16 ipv4=64 efa=1 encrypts=yes ebs=60000 store=7600/required
x8aedz.3xlarge arch=x86_64 cpu=12 mib=393216 ghz=5 by=AMD cards=8 ipv4=40 encrypts=yes ebs=15000 store=950/required
x8aedz.6xlarge arch=x86_64 cpu=24 mib=786432 ghz=5 by=AMD cards=8 ipv4=40 encrypts=yes ebs=15000 store=1900/required
x8aedz.large arch=x86_64 cpu=2 mib=65536 ghz=5 by=AMD cards=4 ipv4=20 encrypts=yes ebs=15000 store=158/required
x8aedz.metal-12xl arch=x86_64 cpu=48 mib=1572864 ghz=5 by=AMD hypervisor=none metal=yes cards=16 ipv4=64 encrypts=yes ebs=30000 store=3800/required enclaves=unsupported
x8aedz.metal-24xl arch=x86_64 cpu=96 mib=3145728 ghz=5 by=AMD hypervisor=none metal=yes cards=16 ipv4=64 efa=1 encrypts=yes ebs=60000 store=7600/required enclaves=unsupported
x8aedz.xlarge arch=x86_64 cpu=4 mib=131072 ghz=5 by=AMD cards=4 ipv4=20 encrypts=yes ebs=15000 store=316/required
x8g.12xlarge arch=arm64 cpu=48 mib=786432 ghz=2.8 by=AWS cards=8 ipv4=30 encrypts=yes ebs=15000
x8g.16xlarge arch=arm64 cpu=64 mib=1048576 ghz=2.8 by=AWS cards=15 ipv4=50 encrypts=yes ebs=20000
x8g.24xlarge arch=arm64 cpu=96 mib=1572864 ghz=2.8 by=AWS cards=15 ipv4=50 efa=1 encrypts=yes ebs=30000
x8g.2xlarge arch=arm64 cpu=8 mib=131072 ghz=2.8 by=AWS cards=4 ipv4=15 encrypts=yes ebs=10000
x8g.48xlarge arch=arm64 cpu=192 mib=3145728 ghz=2.7 by=AWS cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000
x8g.4xlarge arch=arm64 cpu=16 mib=262144 ghz=2.8 by=AWS cards=8 ipv4=30 encrypts=yes ebs=10000
x8g.8xlarge arch=arm64 cpu=32 mib=524288 ghz=2.8 by=AWS cards=8 ipv4=30 encrypts=yes ebs=10000
x8g.large arch=arm64 cpu=2 mib=32768 ghz=2.8 by=AWS cards=3 ipv4=10 encrypts=yes ebs=10000
x8g.medium arch=arm64 cpu=1 mib=16384 ghz=2.8 by=AWS cards=2 ipv4=4 encrypts=yes ebs=10000 enclaves=unsupported
x8g.metal-24xl arch=arm64 cpu=96 mib=1572864 ghz=2.8 by=AWS hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=30000 enclaves=unsupported
x8g.metal-48xl arch=arm64 cpu=192 mib=3145728 ghz=2.7 by=AWS hypervisor=none metal=yes cards=15 ipv4=50 efa=1 encrypts=yes ebs=40000 enclaves=unsupported
x8g.xlarge arch=arm64 cpu=4 mib=65536 ghz=2.8 by=AWS cards=4 ipv4=15 encrypts=yes ebs=10000
x8i.12xlarge arch=x86_64 cpu=48 mib=786432 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=12 ipv4=50 encrypts=yes ebs=15000
x8i.16xlarge arch=x86_64 cpu=64 mib=1048576 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=16 ipv4=64 encrypts=yes ebs=20000
x8i.24xlarge arch=x86_64 cpu=96 mib=1572864 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=16 ipv4=64 encrypts=yes ebs=30000
x8i.2xlarge arch=x86_64 cpu=8 mib=131072 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=4 ipv4=30 encrypts=yes ebs=10000
x8i.32xlarge arch=x86_64 cpu=128 mib=2097152 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=24 ipv4=64 encrypts=yes ebs=40000
x8i.48xlarge arch=x86_64 cpu=192 mib=3145728 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=24 ipv4=64 efa=1 encrypts=yes ebs=60000
x8i.4xlarge arch=x86_64 cpu=16 mib=262144 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=8 ipv4=50 encrypts=yes ebs=10000
x8i.64xlarge arch=x86_64 cpu=256 mib=4194304 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=24 ipv4=64 efa=1 encrypts=yes ebs=70000
x8i.8xlarge arch=x86_64 cpu=32 mib=524288 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=10 ipv4=50 encrypts=yes ebs=10000
x8i.96xlarge arch=x86_64 cpu=384 mib=6291456 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=24 ipv4=64 efa=1 encrypts=yes ebs=80000
x8i.large arch=x86_64 cpu=2 mib=32768 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=3 ipv4=20 encrypts=yes ebs=10000 enclaves=unsupported
x8i.metal-48xl arch=x86_64 cpu=192 mib=3145728 ghz=3.9 by=Intel hypervisor=none metal=yes cards=24 ipv4=64 efa=1 encrypts=yes ebs=60000 enclaves=unsupported
x8i.metal-96xl arch=x86_64 cpu=384 mib=6291456 ghz=3.9 by=Intel hypervisor=none metal=yes cards=24 ipv4=64 efa=1 encrypts=yes ebs=80000 enclaves=unsupported
x8i.xlarge arch=x86_64 cpu=4 mib=65536 ghz=3.9 by=Intel can=nested-virtualization,metal-compatibility cards=4 ipv4=30 encrypts=yes ebs=10000
z1d.12xlarge arch=x86_64 cpu=48 mib=393216 ghz=4 by=Intel cards=15 ipv4=50 ebs=19000 store=1800/required
z1d.2xlarge arch=x86_64 cpu=8 mib=65536 ghz=4 by=Intel cards=4 ipv4=15 ebs=3170 store=300/required
z1d.3xlarge arch=x86_64 cpu=12 mib=98304 ghz=4 by=Intel cards=8 ipv4=30 ebs=4750 store=450/required
z1d.6xlarge arch=x86_64 cpu=24 mib=196608 ghz=4 by=Intel cards=8 ipv4=30 ebs=9500 store=900/required
z1d.large arch=x86_64 cpu=2 mib=16384 ghz=4 by=Intel cards=3 ipv4=10 ebs=3170 store=75/required enclaves=unsupported
z1d.metal arch=x86_64 cpu=48 mib=393216 ghz=4 by=Intel hypervisor=none metal=yes cards=15 ipv4=50 ebs=19000 store=1800/required enclaves=unsupported
z1d.xlarge arch=x86_64 cpu=4 mib=32768 ghz=4 by=Intel cards=4 ipv4=15 ebs=3170 store=150/required
`
